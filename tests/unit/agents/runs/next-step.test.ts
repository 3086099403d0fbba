import { describe, expect, it } from 'vitest';
import { nextStep } from '../../../../server/src/agents/runs/next-step.ts';

const user = { role: 'user' as const, content: 'Hi', tool_calls: null, tool_call_id: null };
const says = { role: 'assistant' as const, content: 'Done.', tool_calls: null, tool_call_id: null };
const call = (id: string): { id: string; name: string; arguments: object } => ({
  id,
  name: 'list_tasks',
  arguments: {},
});
const calls = (...ids: string[]) => ({
  role: 'assistant' as const,
  content: '',
  tool_calls: ids.map((id) => ({ ...call(id), arguments: {} })),
  tool_call_id: null,
});
const answers = (id: string) => ({
  role: 'tool' as const,
  content: '[]',
  tool_calls: null,
  tool_call_id: id,
});

describe('nextStep', () => {
  const settings = { stepsMax: 2, isOverdue: false };

  it.each([
    ['asks the model when only the user has spoken', [user], { kind: 'ask' }],
    ['makes the first call that has no answer', [user, calls('a', 'b')], { kind: 'call', call: call('a') }],
    [
      'makes the second call when the first is answered',
      [user, calls('a', 'b'), answers('a')],
      { kind: 'call', call: call('b') },
    ],
    ['asks again when all calls are answered', [user, calls('a'), answers('a')], { kind: 'ask' }],
    ['is complete when the model has only spoken', [user, says], { kind: 'complete', output: 'Done.' }],
  ])('%s', (_name, log, next) => {
    expect(nextStep({ ...settings, log })).toEqual(next);
  });

  it('fails when the model has had its steps and wants more', () => {
    const log = [user, calls('a'), answers('a'), calls('b'), answers('b')];

    expect(nextStep({ ...settings, log })).toMatchObject({ kind: 'fail', error: { code: 'max_steps' } });
  });

  it('still makes the calls of the last step', () => {
    const log = [user, calls('a'), answers('a'), calls('b')];

    expect(nextStep({ ...settings, log })).toEqual({ kind: 'call', call: call('b') });
  });

  it('fails when the time is over, unless the answer is already there', () => {
    const late = { stepsMax: 2, isOverdue: true };

    expect(nextStep({ ...late, log: [user] })).toMatchObject({ kind: 'fail', error: { code: 'timeout' } });
    expect(nextStep({ ...late, log: [user, calls('a')] })).toMatchObject({ error: { code: 'timeout' } });
    expect(nextStep({ ...late, log: [user, says] })).toEqual({ kind: 'complete', output: 'Done.' });
  });
});
