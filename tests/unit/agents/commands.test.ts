import { describe, expect, it } from 'vitest';
import { commandsFrom } from '../../../server/src/agents/runtimes/builtin/commands.ts';

const milk = { title: 'Buy milk' };

describe('commandsFrom', () => {
  it.each([
    ['create a task titled Buy milk', { kind: 'create', fields: { title: 'Buy milk' } }],
    ['Please create a new task called "Buy milk".', { kind: 'create', fields: { title: 'Buy milk' } }],
    ['add a task to buy milk', { kind: 'create', fields: { title: 'buy milk' } }],
    ['add task: Buy milk', { kind: 'create', fields: { title: 'Buy milk' } }],
    [
      'create a task titled Buy milk with priority high due 2026-12-01',
      { kind: 'create', fields: { title: 'Buy milk', priority: 'high', due_date: '2026-12-01' } },
    ],
    [
      'create a task titled "a; then b and list c"',
      { kind: 'create', fields: { title: 'a; then b and list c' } },
    ],
    ['list my tasks', { kind: 'list', status: undefined }],
    ['show all tasks', { kind: 'list', status: undefined }],
    ['list my in progress tasks', { kind: 'list', status: 'in_progress' }],
    ['show me task Buy milk', { kind: 'show', task: milk }],
    ['complete task Buy milk', { kind: 'change', task: milk, status: 'done' }],
    ['finish this task', { kind: 'change', task: 'this', status: 'done' }],
    ['mark "Buy milk" as in progress', { kind: 'change', task: milk, status: 'in_progress' }],
    ['assign the task Buy milk to bob', { kind: 'assign', task: milk, assignee: 'bob' }],
    ['assign it to bob', { kind: 'assign', task: 'this', assignee: 'bob' }],
    ['comment on Buy milk: two litres', { kind: 'comment', task: milk, body: 'two litres' }],
    [
      'add a comment to task "Buy milk" saying "now; please"',
      { kind: 'comment', task: milk, body: 'now; please' },
    ],
    ['show the comments on Buy milk', { kind: 'comments', task: milk }],
    ['chart my tasks by status', { kind: 'chart', by: 'status', type: 'bar' }],
    ['draw a pie chart of my tasks by priority', { kind: 'chart', by: 'priority', type: 'pie' }],
    ['plot all tasks by assignee as a line chart', { kind: 'chart', by: 'assignee_name', type: 'line' }],
  ])('understands %j', (text, command) => {
    expect(commandsFrom(text)).toEqual([command]);
  });

  it.each([
    ['create a task titled A; list my tasks', ['create', 'list']],
    ['create a task titled A and create a task titled B', ['create', 'create']],
    ['create a task titled A, then chart my tasks', ['create', 'chart']],
    ['create a task titled Milk and bread', ['create']],
    ['list my tasks\nsing a song', ['list', undefined]],
    ['Hello. List my tasks.', [undefined, 'list']],
  ])('takes %j apart', (text, kinds) => {
    expect(commandsFrom(text).map((command) => command?.kind)).toEqual(kinds);
  });

  it('is quick with long nonsense', () => {
    expect(commandsFrom(`assign ${' '.repeat(60_000)} to`)).toHaveLength(1);
    expect(commandsFrom(`assign ${'x to '.repeat(12_000)}`)).toEqual([undefined]);
    expect(commandsFrom('"'.repeat(60_000))).toEqual([undefined]);
  });
});
