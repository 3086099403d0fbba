-- Rebuilds the tables that the server derives from the tasks. Runs after the seeding and after every part that writes.

truncate audit_logs, idempotency_keys;

do $$ begin
  if to_regclass('task_tags') is not null then
    truncate task_tags;
    insert into task_tags (user_id, tag_key, created_at, task_id)
    select user_id, unnest(tag_keys), created_at, id from tasks;
  end if;
  if to_regclass('task_counts') is not null then
    truncate task_counts;
    insert into task_counts (user_id, workspace_id, status, bucket, count)
    select user_id, coalesce(workspace_id, ''), status, get_byte(uuid_send(id), 13) % 4, count(*)
    from tasks
    group by 1, 2, 3, 4;
  end if;
end $$;
