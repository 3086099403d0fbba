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

const failed = (code: string) => ({ kind: 'end', outcome: { status: 'failed', error: { code } } });

describe('nextStep', () => {
  const settings = { stepsMax: 2, isOverdue: false, isUndecided: () => false };

  it.each([
    ['calls the model if the log has only a user message', [user], { kind: 'callModel' }],
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
    [
      'completes when the model responds without tool calls',
      [user, says],
      { kind: 'end', outcome: { status: 'completed', output: 'Done.' } },
    ],
    [
      'ends when the answer was cut off, whatever it called',
      [user, { ...calls('a'), content: 'Ha', incomplete_reason: 'content_filter' as const }],
      {
        kind: 'end',
        outcome: { status: 'incomplete', output: 'Ha', incomplete_details: { reason: 'content_filter' } },
      },
    ],
  ])('%s', (_name, log, next) => {
    expect(nextStep({ ...settings, log })).toEqual(next);
  });

  it('fails once the maximum number of steps is reached', () => {
    const log = [user, calls('a'), results('a'), calls('b'), results('b')];

    expect(nextStep({ ...settings, log })).toMatchObject(failed('max_steps'));
  });

  it('makes the tool calls of the last step', () => {
    const log = [user, calls('a'), results('a'), calls('b')];

    expect(nextStep({ ...settings, log })).toEqual({ kind: 'callTool', call: call('b') });
  });

  it('fails when the run is overdue, unless its output is already in the log', () => {
    const late = { ...settings, isOverdue: true };

    expect(nextStep({ ...late, log: [user] })).toMatchObject(failed('timeout'));
    expect(nextStep({ ...late, log: [user, calls('a')] })).toMatchObject(failed('timeout'));
    expect(nextStep({ ...late, log: [user, says] })).toEqual({
      kind: 'end',
      outcome: { status: 'completed', output: 'Done.' },
    });
  });

  it('makes no tool call of a step before the user has decided about all of them', () => {
    const log = [user, calls('a', 'b', 'c'), results('c')];
    const undecided = (...ids: string[]) => ({
      ...settings,
      isUndecided: ({ id }: { id: string }) => ids.includes(id),
    });

    expect(nextStep({ ...undecided('b', 'c'), log })).toEqual({ kind: 'requireAction', calls: [call('b')] });
    expect(nextStep({ ...undecided('c'), log })).toEqual({ kind: 'callTool', call: call('a') });
  });

  it('fails rather than waits once the time limit is exceeded', () => {
    const overdue = { ...settings, isOverdue: true, isUndecided: () => true };

    expect(nextStep({ ...overdue, log: [user, calls('a')] })).toMatchObject(failed('timeout'));
  });
});
