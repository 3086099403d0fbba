import { describe, expect, it } from 'vitest';
import { commandsFrom } from '../../../server/src/agents/runtimes/builtin/builtin.ts';

const milk = 'Buy milk';

describe('commandsFrom', () => {
  it.each([
    ['create a task titled Buy milk', { kind: 'create', title: 'Buy milk' }],
    ['Please create a new task called "Buy milk".', { kind: 'create', title: 'Buy milk' }],
    ['add a task to buy milk', { kind: 'create', title: 'buy milk' }],
    ['add task: Buy milk', { kind: 'create', title: 'Buy milk' }],
    [
      'create a task titled Buy milk with priority high due 2026-12-01',
      { kind: 'create', title: 'Buy milk', priority: 'high', due_date: '2026-12-01' },
    ],
    ['create a task titled "a; then b and list c"', { kind: 'create', title: 'a; then b and list c' }],
    ['list my tasks', { kind: 'list', status: undefined }],
    ['show all tasks', { kind: 'list', status: undefined }],
    ['list my in progress tasks', { kind: 'list', status: 'in_progress' }],
    ['complete task Buy milk', { kind: 'change', task: milk }],
    ['finish this task', { kind: 'change' }],
    ['mark "Buy milk" as in progress', { kind: 'change', task: milk, status: 'in_progress' }],
    ['assign the task Buy milk to bob', { kind: 'assign', task: milk, assignee: 'bob' }],
    ['assign it to bob', { kind: 'assign', assignee: 'bob' }],
    ['comment on Buy milk: two litres', { kind: 'comment', task: milk, body: 'two litres' }],
    [
      'add a comment to task "Buy milk" saying "now; please"',
      { kind: 'comment', task: milk, body: 'now; please' },
    ],
    ['delete task Buy milk', { kind: 'delete', task: milk }],
    ['remove the task "Buy milk"', { kind: 'delete', task: milk }],
    ['delete this task', { kind: 'delete' }],
    ['chart my tasks by status', { kind: 'chart', by: 'status' }],
    ['draw a pie chart of my tasks by priority', { kind: 'chart', by: 'priority', type: 'pie' }],
    ['plot all tasks by assignee as a line chart', { kind: 'chart', by: 'assignee', as: 'line' }],
    ['list all my mystery tasks', { kind: 'list', status: 'mystery' }],
    ['show me the all clear tasks', { kind: 'list', status: 'clear' }],
    ['list my thermal tasks', { kind: 'list', status: 'thermal' }],
    ['list the my the tasks', { kind: 'list', status: undefined }],
    ['list my __proto__ tasks', { kind: 'list', status: '__proto__' }],
    ['mark Buy milk as constructor', { kind: 'change', task: milk, status: 'constructor' }],
  ])('understands %j', (text, command) => {
    expect(commandsFrom(text)).toEqual([command]);
  });

  it.each([
    ['mark send it to bob-smith as done', 'send it to bob-smith', 'done'],
    ['mark as-is review as to do', 'as-is review', 'todo'],
    ['mark read it as soon as done', 'read it', 'soon_as_done'],
    ['move "A" to B to in progress', 'A', 'b_to_in_progress'],
    ['move A to "B" to in progress', 'A to B', 'in_progress'],
  ])('ends the title in %j where only words follow', (text, title, status) => {
    expect(commandsFrom(text)).toEqual([{ kind: 'change', task: title, status }]);
  });

  it.each([
    ['create a task titled “a; then b” and list my tasks', ['create', 'list']],
    ['create a task titled “a” and list “my” tasks', ['create', undefined]],
    ['create a task titled “a; b', ['create', undefined]],
    ['create a task titled A; list my tasks', ['create', 'list']],
    ['complete A and delete B', ['change', 'delete']],
    ['create a task titled A and create a task titled B', ['create', 'create']],
    ['create a task titled A, then chart my tasks', ['create', 'chart']],
    ['create a task titled Milk and bread', ['create']],
    ['list my tasks\nsing a song', ['list', undefined]],
    ['Hello. List my tasks.', [undefined, 'list']],
  ])('splits %j into commands, but not inside curly quotes', (text, kinds) => {
    expect(commandsFrom(text).map((command) => command?.kind)).toEqual(kinds);
  });
});

it('commandsFrom terminates for long texts without commands', () => {
  expect(commandsFrom(`assign ${' '.repeat(60_000)} to`)).toHaveLength(1);
  expect(commandsFrom(`assign ${'x to '.repeat(12_000)}`)).toEqual([undefined]);
});

// A quadratic function exceeds the time limit of a test with such a text; a linear one takes less than a second.
const length = 500_000;

it.each([
  ...Array.from('“”";, \n\uE000.!'),
  ...['\uE0001\uE001', 'and ', ' and list', ', then ', '. ', '! ', 'list my tasks; “'],
  ...['“a ', '“"', '"“', '”“', '“”', '“;', '“\n', '“ and ', '“, then ', '“! ', '“. "', '“\uE0000\uE001'],
])('commandsFrom terminates for half a million characters of %j, even after many commands', (piece) => {
  const text = piece.repeat(length / piece.length);

  expect(commandsFrom(text)).toBeInstanceOf(Array);
  if (!/^[“”"]+$/.test(piece)) return;
  expect(commandsFrom(`${text}"`)).toHaveLength(1);
  expect(commandsFrom('list my tasks; '.repeat(4_000) + text)).toHaveLength(4_001);
});
