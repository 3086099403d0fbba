-- Fills the empty table of tasks with current_setting('bench.rows') rows.

select setseed(0.5);

-- Some users with fixed numbers of tasks, if they fit, and users with 100 to 1,000 tasks until the table is full.
create temp table people on commit drop as
with
  wanted as (select current_setting('bench.rows')::int as rows),
  special as (
    select user_id, tasks from wanted,
      (values ('large', 100000), ('growth-10000', 10000), ('growth-1000', 1000), ('growth-100', 100)) v (user_id, tasks)
    where tasks <= rows / 5
  ),
  ordinary as (
    select 'user-' || n as user_id, 100 + (n * 7919) % 901 as tasks,
      sum(100 + (n * 7919) % 901) over (order by n) as total
    from wanted, generate_series(1, rows / 100) n
  ),
  everybody as (
    select user_id, tasks from special
    union all
    select user_id, tasks from ordinary, wanted
    where total <= rows - (select coalesce(sum(tasks), 0) from special)
  ),
  rest as (select rows - (select sum(tasks) from everybody) as tasks from wanted)
select * from everybody union all select 'rest', tasks from rest where tasks > 0;

-- Inserted in the order of time, as in production: the tasks of one user are scattered over the table.
insert into tasks (id, user_id, workspace_id, title, description, status, priority, due_date, tags, due_at, tag_keys,
  created_at, updated_at, etag)
select
  (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0')
    || to_hex(28672 + floor(random() * 4096)::int)
    || to_hex(32768 + floor(random() * 16384)::int)
    || lpad(to_hex(floor(random() * 281474976710656)::bigint), 12, '0'))::uuid,
  user_id,
  case when kind < 8 then 'workspace-' || kind % 4 end,
  'Prepare the review of quarter ' || n % 4 + 1 || ', part ' || n,
  case when kind < 7 then 'Collect the figures of all teams, compare them with the plan, and write down what needs a decision.' end,
  (array['todo', 'todo', 'todo', 'todo', 'todo', 'in_progress', 'in_progress', 'done', 'done', 'blocked'])[kind + 1],
  (array['none', 'none', '1', '2', '3'])[n % 5 + 1],
  case when kind < 5 then to_char(due, 'YYYY-MM-DD') end,
  case when kind < 6 then 'review,quarter' end,
  case when kind < 5 then due end,
  case when kind < 6 then keys else '{}' end,
  at,
  at,
  '"' || substr(md5(n::text), 1, 12) || '"'
from (
  select user_id, n, floor(random() * 10)::int as kind,
    date_trunc('milliseconds', now() - interval '1 hour' - random() * interval '365 days') as at
  from people, generate_series(1, tasks) n
  order by at
) as each,
  -- The keys of the two tags, as in server/src/tasks/tags.ts.
  (
    select array_agg(('x' || encode(substring(sha256(convert_to(tag, 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint) as keys
    from unnest(array['review', 'quarter']) tag
  ) as tags,
  lateral (select date_trunc('day', at) + interval '30 days' as due) as later;
