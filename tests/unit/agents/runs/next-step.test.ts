import { describe, expect, it } from 'vitest';
import { nextStep } from '../../../../server/src/agents/runs/next-step.ts';

const none = { tool_calls: null, tool_call_id: null, incomplete_reason: null };
const user = { ...none, role: 'user' as const, content: 'Hi' };
const says = { ...none, role: 'assistant' as const, content: 'Done.' };
const call = (id: string): { id: string; name: string; arguments: object } => ({
  id,
  name: 'list_tasks',
  arguments: {},
});
const calls = (...ids: string[]) => ({
  ...none,
  role: 'assistant' as const,
  content: '',
  tool_calls: ids.map((id) => ({ ...call(id), arguments: {} })),
});
const results = (id: string) => ({
  ...none,
  role: 'tool' as const,
  content: '[]',
  tool_call_id: id,
});

const ends = (status: string, fields: object): object => ({ kind: 'end', outcome: { status, ...fields } });
const fails = (code: string): object => ends('failed', { error: { code } });
const lastCall = { kind: 'callModel', isLast: true };
const late = { isOverdue: true };
const undecided = (...ids: string[]): Partial<Parameters<typeof nextStep>[0]> => ({
  isUndecided: ({ id }) => ids.includes(id),
});
const threeCalls = [user, calls('a', 'b', 'c'), results('c')];
const cutOff = { ...calls('a'), content: 'Ha', incomplete_reason: 'content_filter' as const };
const twoSteps = [user, calls('a'), results('a'), calls('b')];
const done = ends('completed', { output: 'Done.' });

describe('nextStep', () => {
  type Log = Parameters<typeof nextStep>[0]['log'];

  it.each<[string, Log, object, Partial<Parameters<typeof nextStep>[0]>?]>([
    ['calls the model if the log has only a user message', [user], { kind: 'callModel', isLast: false }],
    [
      'makes the first tool call without a result',
      [user, calls('a', 'b')],
      { kind: 'callTool', call: call('a') },
    ],
    [
      'makes the second tool call once the first has a result',
      [user, calls('a', 'b'), results('a')],
      { kind: 'callTool', call: call('b') },
    ],
    [
      'calls the model again once all tool calls have results',
      [user, calls('a'), results('a')],
      { kind: 'callModel' },
    ],
    ['completes when the model responds without tool calls', [user, says], done],
    [
      'ends when the answer was cut off, whatever it called',
      [user, cutOff],
      ends('incomplete', { output: 'Ha', incomplete_details: { reason: 'content_filter' } }),
    ],
    ['makes the tool calls of the last step', twoSteps, { kind: 'callTool', call: call('b') }],
    ['calls the model a last time after the maximum of steps', [...twoSteps, results('b')], lastCall],
    ['fails when the run is overdue', [user], fails('timeout'), late],
    ['makes no tool call when the run is overdue', [user, calls('a')], fails('timeout'), late],
    ['completes an overdue run whose output is in the log', [user, says], done, late],
    [
      'makes no tool call of a step before the user has decided about all of them',
      threeCalls,
      { kind: 'requireAction', calls: [call('b')] },
      undecided('b', 'c'),
    ],
    [
      'needs no decision about a call that has its result',
      threeCalls,
      { kind: 'callTool', call: call('a') },
      undecided('c'),
    ],
    [
      'fails rather than waits once the time limit is exceeded',
      [user, calls('a')],
      fails('timeout'),
      { ...late, ...undecided('a') },
    ],
  ])('%s', (_promise, log, next, settings) => {
    const usual = { stepsMax: 2, isOverdue: false, isUndecided: () => false };

    expect(nextStep({ ...usual, ...settings, log })).toMatchObject(next);
  });
});
