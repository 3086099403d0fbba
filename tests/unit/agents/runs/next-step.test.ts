import { expect, it } from 'vitest';
import { nextStep } from '../../../../server/src/agents/runs/next-step.ts';

const none = { tool_calls: null, tool_call_id: null, incomplete_reason: null };
const user = { ...none, role: 'user' as const, content: 'Hi' };
const says = { ...none, role: 'assistant' as const, content: 'Done.' };
const toolCalls = ['a', 'b', 'c'].map((id) => ({ id, name: 'list_tasks', arguments: {} }));
const [first] = toolCalls;
const step = { ...none, role: 'assistant' as const, content: '', tool_calls: toolCalls };
const resultOfLast = { ...none, role: 'tool' as const, content: '[]', tool_call_id: 'c' };
const timeout = { kind: 'end', outcome: { status: 'failed', error: { code: 'timeout' } } };

// The contract tests of agents cover the usual steps of a run.
type Progress = Parameters<typeof nextStep>[0];

it.each<[string, Progress['log'], object, Partial<Progress>?]>([
  ['makes no tool call when the run is overdue', [user, step], timeout],
  [
    'fails rather than waits once the time limit is exceeded',
    [user, step],
    timeout,
    { isUndecided: () => true },
  ],
  [
    'completes an overdue run whose output is in the log',
    [user, says],
    { kind: 'end', outcome: { status: 'completed', output: 'Done.' } },
  ],
  [
    'needs no decision about a call that has its result',
    [user, step, resultOfLast],
    { kind: 'callTool', call: first },
    { isOverdue: false, isUndecided: ({ id }) => id === 'c' },
  ],
])('nextStep %s', (_promise, log, next, settings) => {
  const overdue = { stepsMax: 2, isOverdue: true, isUndecided: () => false };

  expect(nextStep({ ...overdue, ...settings, log })).toMatchObject(next);
});
