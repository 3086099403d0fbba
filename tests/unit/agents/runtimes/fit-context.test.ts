import { describe, expect, it } from 'vitest';
import { fitContext } from '../../../../server/src/agents/runtimes/openai/fit-context.ts';
import type { StepRequest } from '../../../../server/src/agents/runtimes/runtime.ts';

type Message = StepRequest['conversation'][number];

const empty = {
  tool_calls: null,
  tool_call_id: null,
  is_error: false,
  provider_data: null,
  incomplete_reason: null,
};

/** A run with a tool call in each step, with these arguments and results. */
function runOf(
  steps: readonly { readonly values: Readonly<Record<string, unknown>>; readonly result: string }[],
): Parameters<typeof fitContext>[0] {
  const conversation = steps.flatMap(({ values, result }, i): Message[] => [
    {
      ...{ ...empty, run_id: 'run', seq: 2 * i + 2, role: 'assistant', content: '' },
      tool_calls: [{ id: `call_${i}`, name: 'write', arguments: values }],
    },
    { ...empty, run_id: 'run', seq: 2 * i + 3, role: 'tool', content: result, tool_call_id: `call_${i}` },
  ]);
  return {
    instructions: null,
    context: {},
    conversation: [{ ...empty, run_id: 'run', seq: 1, role: 'user', content: 'Go' }, ...conversation],
    tools: [],
    options: {},
  };
}

describe('the request of a run that is longer than 512 KiB', () => {
  it('has long arguments cut, and short ones whole', () => {
    const long = { values: { text: 'a'.repeat(300_000) }, result: 'ok' };
    const request = runOf([long, { values: { text: 'short' }, result: 'ok' }, long]);

    const fitted = fitContext(request);

    const values = fitted.flatMap(({ tool_calls: calls }) => calls ?? []).map((call) => call.arguments);
    expect(Buffer.byteLength(JSON.stringify(values))).toBeLessThan(512 * 1024);
    const cut = {
      arguments: expect.stringMatching(/^\{"text":"a+… \[cut: the whole text has 300011 characters\]$/),
    };
    expect(values).toEqual([cut, { text: 'short' }, cut]);
  });
});
