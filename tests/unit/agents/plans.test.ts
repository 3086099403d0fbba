import { describe, expect, it } from 'vitest';
import type { Command } from '../../../server/src/agents/runtimes/builtin/commands.ts';
import { planOf } from '../../../server/src/agents/runtimes/builtin/plans.ts';

const task = {
  id: '1',
  title: 'Buy milk',
  status: 'todo',
  priority: 'none',
  created_at: '2026-01-01T00:00:00.000Z',
};

/** The sentence that the plan of a command returns, given the outputs of its tools. */
function sentenceOf(command: Command, outputs: readonly object[], context: object = {}): string {
  const plan = planOf(command, { ...context });
  const state = outputs.reduce<ReturnType<typeof plan.next>>(
    (_state, output) => plan.next({ content: JSON.stringify(output), isError: false }),
    plan.next(),
  );
  return state.done === true ? state.value : `calls ${state.value.name}`;
}

describe('the plan of a chart', () => {
  const command: Command = { kind: 'chart', by: 'status', type: 'pie' };

  it('returns the number of tasks in the chart', () => {
    expect(sentenceOf(command, [{ count: 2, tasks: [task, task] }, {}])).toBe(
      'Drew a pie chart of 2 tasks by status.',
    );
  });

  it('counts tasks by the month in which they were created, also in months without any', () => {
    const months: Command = { kind: 'chart', by: 'month', type: 'line' };
    const tasks = [
      '2026-01-31T23:59:59Z',
      '2025-11-01T00:00:00Z',
      '2026-02-01T00:00:00Z',
      '2026-01-01T00:00:00Z',
    ];
    const plan = planOf(months, {});
    plan.next();
    const listed = { count: 4, tasks: tasks.map((created_at) => ({ ...task, created_at })) };
    const asked = plan.next({ content: JSON.stringify(listed), isError: false });

    expect(asked.value).toMatchObject({
      arguments: {
        chart_type: 'line',
        title: 'Tasks by month',
        data: [
          { label: '2025-11', value: 1 },
          { label: '2025-12', value: 0 },
          { label: '2026-01', value: 2 },
          { label: '2026-02', value: 1 },
        ],
      },
    });
  });

  it('has no slices for months without tasks', () => {
    const plan = planOf({ kind: 'chart', by: 'month', type: 'pie' }, {});
    plan.next();
    const tasks = ['2026-01-31T12:00:00Z', '2025-11-01T12:00:00Z'].map((created_at) => ({
      ...task,
      created_at,
    }));
    const asked = plan.next({ content: JSON.stringify({ count: 2, tasks }), isError: false });

    expect(asked.value).toMatchObject({
      arguments: { data: [{ label: '2025-11' }, { label: '2026-01' }] },
    });
  });

  it('asks for horizontal bars, and says so', () => {
    const horizontal: Command = { kind: 'chart', by: 'status', type: 'bar', orientation: 'horizontal' };
    const plan = planOf(horizontal, {});
    plan.next();
    const asked = plan.next({ content: JSON.stringify({ count: 1, tasks: [task] }), isError: false });

    expect(asked.value).toMatchObject({ arguments: { chart_type: 'bar', orientation: 'horizontal' } });
    expect(plan.next({ content: '{}', isError: false }).value).toBe(
      'Drew a horizontal bar chart of 1 task by status.',
    );
  });

  it('asks for a donut, and says so', () => {
    const plan = planOf({ kind: 'chart', by: 'status', type: 'pie', donut: true }, {});
    plan.next();
    const asked = plan.next({ content: JSON.stringify({ count: 1, tasks: [task] }), isError: false });

    expect(asked.value).toMatchObject({ arguments: { chart_type: 'pie', donut: true } });
    expect(plan.next({ content: '{}', isError: false }).value).toBe(
      'Drew a donut chart of 1 task by status.',
    );
  });

  it('says so if the chart contains only the newest tasks', () => {
    expect(sentenceOf(command, [{ count: 2500, tasks: [task, task] }, {}])).toBe(
      'Drew a pie chart of the newest 2 of 2500 tasks by status.',
    );
  });
});

describe('a task named by its title', () => {
  const command: Command = { kind: 'change', task: { title: 'milk' }, status: 'done' };

  it('is not guessed if several match, and the sentence counts all of them', () => {
    expect(sentenceOf(command, [{ count: 250, tasks: Array.from({ length: 100 }, () => task) }])).toBe(
      'There are 250 tasks that "milk" could mean. Use the full title or task_id.',
    );
  });
});

describe('"this task"', () => {
  const command: Command = { kind: 'change', task: 'this', status: 'done' };

  it('is the task that the server loaded', () => {
    expect(sentenceOf(command, [{ task }], { task_id: task.id, task })).toBe(
      'Set the task "Buy milk" to done.',
    );
  });

  it("is not a `task` in the caller's own data", () => {
    expect(sentenceOf(command, [], { task: { id: '1' } })).toMatch(/^Which task\?/);
  });
});

describe('the plan of comments', () => {
  it('says so if it shows only the first 100 comments', () => {
    const comments = Array.from({ length: 100 }, () => ({ author_name: 'Bob', body: 'x' }));
    const command: Command = { kind: 'comments', task: 'this' };

    expect(sentenceOf(command, [{ comments }], { task_id: task.id, task })).toMatch(
      /^The first 100 comments on the task "Buy milk":\n- Bob: x\n/,
    );
  });
});
