-- What the server keeps beside the tasks and works out from them, such as counters: removed and made anew from the rows
-- that are there. Runs after the seeding and after every part that wrote.

truncate audit_logs;
