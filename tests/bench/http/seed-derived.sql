-- Rebuilds the tables that the server derives from the tasks. Runs after the seeding and after every part that writes.

truncate audit_logs;

do $$ begin
  if to_regclass('task_counts') is not null then
    truncate task_counts;
    insert into task_counts (user_id, workspace_id, status, bucket, count)
    select user_id, coalesce(workspace_id, ''), status, get_byte(uuid_send(id), 13) % 4, count(*)
    from tasks
    group by 1, 2, 3, 4;
  end if;
end $$;
