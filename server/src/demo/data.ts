const titles = [
  'Buy milk',
  'Call the bank',
  'Review the draft',
  'Write the report',
  'Repair the bicycle',
  'Book the flights',
  'Plan the team day',
  'Renew the passport',
  'Order new chairs',
  'Update the website',
];
const statuses = ['todo', 'todo', 'in_progress', 'blocked', 'done', 'cancelled'];
const priorities = ['none', 'low', 'medium', 'high'];
const tags = ['home', 'work,urgent', 'work', null];

/** The bodies of 40 tasks in all states. Some are overdue, unassigned or undated. */
export function demoTasks(now: Date): object[] {
  return Array.from({ length: 40 }, (_, i) => {
    const dueAt = new Date(now.getTime() + (i - 12) * 86_400_000);
    const round = Math.floor(i / titles.length);
    return {
      title: `${titles[i % titles.length] ?? ''}${round === 0 ? '' : ` (${round + 1})`}`,
      description: i % 3 === 0 ? 'As discussed on Monday.' : null,
      status: statuses[i % statuses.length],
      priority: priorities[i % priorities.length],
      tags: tags[i % tags.length],
      workspace_id: i % 2 === 0 ? 'home' : 'office',
      due_date: i % 5 === 0 ? null : dueAt.toISOString().slice(0, 10),
      ...(i % 4 === 1 ? { assignee_id: 'bob', assignee_name: 'Bob' } : {}),
    };
  });
}
