import { describe, expect, it } from 'vitest';
import { planOf } from '../../../server/src/agents/runtimes/builtin/builtin.ts';
import { phrases } from '../../../server/src/agents/runtimes/builtin/phrases.ts';

const task = {
  id: '1',
  title: 'Buy milk',
  status: 'todo',
  priority: 'none',
  created_at: '2026-01-01T00:00:00.000Z',
};

type Command = Parameters<typeof planOf>[1] & { readonly kind: string };

/** Runs the plan of a command with the given tool outputs. Returns the arguments of its last call, and its sentence. */
function outcomeOf(
  command: Command,
  outputs: readonly object[],
  context: object = {},
): { called: unknown; sentence: string | undefined } {
  const phrase = phrases[command.kind];
  if (phrase === undefined) throw new Error(`There is no phrase ${command.kind}.`);
  const plan = planOf(phrase, command, { ...context });
  let called: unknown;
  let state = plan.next();
  for (const output of outputs) {
    if (state.done !== true) called = state.value.arguments;
    state = plan.next({ content: JSON.stringify(output), is_error: false });
  }
  return { called, sentence: state.done === true ? state.value : undefined };
}

function sentenceOf(...given: Parameters<typeof outcomeOf>): string | undefined {
  return outcomeOf(...given).sentence;
}

/** The output of list_tasks. */
function listed(...createdAt: string[]): object {
  return { count: createdAt.length, tasks: createdAt.map((created_at) => ({ ...task, created_at })) };
}

describe('the plan of a chart', () => {
  const pie: Command = { kind: 'chart', by: 'status', type: 'pie' };
  const [one, two] = [listed(task.created_at), listed(task.created_at, task.created_at)];

  it.each<[Command, object, object, string]>([
    [pie, two, { chart_type: 'pie' }, 'Drew a pie chart of 2 tasks by status.'],
    [{ ...pie, as: 'Line' }, one, { chart_type: 'line' }, 'Drew a line chart of 1 task by status.'],
    [pie, { ...two, count: 2500 }, {}, 'Drew a pie chart of the newest 2 of 2500 tasks by status.'],
  ])('%j draws it and says so', (command, tasks, values, expected) => {
    const { called, sentence } = outcomeOf(command, [tasks, {}]);

    expect(called).toMatchObject(values);
    expect(sentence).toBe(expected);
  });

  it.each([
    ['status', ['done', 'in_review', 'todo', 'in_progress'], ['To do', 'In progress', 'Done', 'In review']],
    ['priority', ['low', 'none', 'urgent', 'high'], ['urgent', 'high', 'low', 'none']],
  ])('counts tasks by %s, in the order of work', (by, values, labels) => {
    const tasks = values.map((value) => ({ ...task, [by]: value }));

    expect(outcomeOf({ ...pie, by }, [{ count: 4, tasks }, {}]).called).toMatchObject({
      data: labels.map((label) => ({ label })),
    });
  });
});

const command: Command = { kind: 'change', task: 'milk', status: 'done' };

it('a task named by its title is not guessed if several match, and the sentence counts all of them', () => {
  expect(sentenceOf(command, [{ count: 250, tasks: Array.from({ length: 100 }, () => task) }])).toBe(
    'There are 250 tasks that "milk" could mean. Use the full title or task_id.',
  );
});
