import { describe, expect, it } from 'vitest';
import type { Command } from '../../../server/src/agents/runtimes/builtin/commands.ts';
import { planOf } from '../../../server/src/agents/runtimes/builtin/plans.ts';

const task = { id: '1', title: 'Buy milk', status: 'todo', priority: 'none' };

/** The sentence with which a command ends, given what its tools answer. */
function sentenceOf(command: Command, answers: readonly object[], context: object = {}): string {
  const plan = planOf(command, { ...context });
  const state = answers.reduce<ReturnType<typeof plan.next>>(
    (_state, answer) => plan.next({ content: JSON.stringify(answer), isError: false }),
    plan.next(),
  );
  return state.done === true ? state.value : `wants ${state.value.name}`;
}

describe('a chart of tasks', () => {
  const command: Command = { kind: 'chart', by: 'status', type: 'pie' };

  it('says how many tasks it shows', () => {
    expect(sentenceOf(command, [{ count: 2, tasks: [task, task] }, {}])).toBe(
      'Drew a pie chart of 2 tasks by status.',
    );
  });

  it('says so when it shows only the newest', () => {
    expect(sentenceOf(command, [{ count: 2500, tasks: [task, task] }, {}])).toBe(
      'Drew a pie chart of the newest 2 of 2500 tasks by status.',
    );
  });
});

describe('a task that is named by its title', () => {
  const command: Command = { kind: 'change', task: { title: 'milk' }, status: 'done' };

  it('is not guessed when several match, of which all are counted', () => {
    expect(sentenceOf(command, [{ count: 250, tasks: Array.from({ length: 100 }, () => task) }])).toBe(
      'There are 250 tasks that "milk" could mean. Use the full title or task_id.',
    );
  });
});

describe('"this task"', () => {
  const command: Command = { kind: 'change', task: 'this', status: 'done' };

  it('is the one that the server has loaded', () => {
    expect(sentenceOf(command, [{ task }], { task_id: task.id, task })).toBe(
      'Set the task "Buy milk" to done.',
    );
  });

  it("is not the caller's own data of that name", () => {
    expect(sentenceOf(command, [], { task: { id: '1' } })).toMatch(/^Which task\?/);
  });
});

describe('comments', () => {
  it('are those of the beginning where there may be more', () => {
    const comments = Array.from({ length: 100 }, () => ({ author_name: 'Bob', body: 'x' }));
    const command: Command = { kind: 'comments', task: 'this' };

    expect(sentenceOf(command, [{ comments }], { task_id: task.id, task })).toMatch(
      /^The first 100 comments on the task "Buy milk":\n- Bob: x\n/,
    );
  });
});
