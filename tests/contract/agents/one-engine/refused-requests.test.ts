import { expect } from 'vitest';
import { createAgent } from '../../../support/agents.ts';
import { sharedServer } from '../../../support/server.ts';
import { spec } from '../../../support/spec.ts';

const alice = await sharedServer().as('alice');
const agent = await createAgent(alice);

type Refused = readonly [body: object, ...errors: readonly [string, ...string[]]];

/** Tests that an operation refuses each body, and lists all errors: pointers, codes and sentences. */
function refuses(
  operation: 'createAgent' | 'updateAgent' | 'runAgent' | 'decideToolCalls',
  ...rows: readonly Refused[]
): void {
  for (const [body, ...errors] of rows)
    spec(operation, 400, `refuses a body that has the error ${errors[0]}`, async () => {
      const { body: problem } = await alice.fails(operation, 400, { id: agent.id, body });

      const listed = problem.errors?.map(({ pointer, code, detail }) => `${pointer} ${code}: ${detail}`);
      expect(problem.code).toBe('VALIDATION_ERROR');
      expect(listed?.toSorted()).toEqual(errors.toSorted());
    });
}

const textRule = 'must not contain NUL characters or lone surrogates.';
const sessionRule =
  'must have 1 to 128 characters out of A-Z, a-z, 0-9, ".", "_", ":" and "-", and must not be "." or "..".';
const options = { temperature: 2.1, max_output_tokens: 0, reasoning_effort: 'much' };
const efforts = 'none, minimal, low, medium, high, xhigh';

refuses('createAgent', [
  { skills: [1], model_options: options },
  '/model_options/max_output_tokens too_small: Max output tokens of model options must be at least 1.',
  `/model_options/reasoning_effort not_one_of: Reasoning effort of model options must be one of ${efforts}.`,
  '/model_options/temperature too_large: Temperature of model options must be at most 2.',
  '/name required: Name is required.',
  '/skills/0 wrong_type: Item 1 of skills must be a string.',
]);

const tooLarge = '/context too_large: Context must not be larger than 65536 bytes as JSON.';
refuses(
  'runAgent',
  [
    { input: 'x', context: { note: 'a\0b' } },
    `/context/note unsupported_character: Note of context ${textRule}`,
  ],
  [{ input: 'x', context: { a: 'ä'.repeat(33_000) } }, tooLarge],
  [{ input: '' }, '/input not_blank: Input must not be blank.'],
  [
    { input: 'x', context: { task_id: 'nowhere' } },
    '/context/task_id not_found: Task id of context must be the id of one of your tasks.',
  ],
  ...['a/b', '.', '..', ''].map((session_id): Refused => [
    { input: 'x', context: { session_id } },
    `/context/session_id malformed: Session id of context ${sessionRule}`,
  ]),
);

refuses(
  'decideToolCalls',
  [{ decisions: [] }, '/decisions too_small: Decisions must not have fewer than 1 item.'],
  [
    { decisions: [{ tool_call_id: 'x', approve: false, reason: 'a\0b' }] },
    `/decisions/0/reason unsupported_character: Reason of item 1 of decisions ${textRule}`,
  ],
);
