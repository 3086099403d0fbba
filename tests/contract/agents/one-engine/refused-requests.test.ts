import { describe, expect } from 'vitest';
import { createAgent } from '../../../support/agents.ts';
import { operationOf } from '../../../support/contract.ts';
import { requests, unknownId } from '../../../support/requests.ts';
import { sharedServer } from '../../../support/server.ts';
import { spec } from '../../../support/spec.ts';

const alice = await sharedServer().as('alice');
const agent = await createAgent(alice);

const byId = [
  ...(['getAgent', 'updateAgent', 'deleteAgent', 'runAgent'] as const),
  ...(['getRun', 'cancelRun', 'decideToolCalls'] as const),
  ...(['getSession', 'updateSession', 'deleteSession', 'listMessages'] as const),
];

describe.each(byId)('%s', (operation) => {
  spec(operation, 404, 'finds nothing by the id of no resource, in any form', async () => {
    const [, kind = ''] = /^\/v1\/(\w+)s\//.exec(operationOf(operation).path) ?? [];

    for (const each of ['none', unknownId, '%00', 'x'.repeat(129), 'a%2Fb', '%F0%9F%99%82']) {
      const { body } = await alice.fails(operation, 404, { ...requests[operation], id: each });
      expect(body.code.toLowerCase(), each).toBe(`${kind} not found`);
    }
  });
});

type Refused = readonly [body: object, ...errors: readonly [string, ...string[]]];

/** Tests that an operation refuses each body, and lists all errors: pointers, codes and sentences. */
function refuses(operation: (typeof byId)[number] | 'createAgent', ...rows: readonly Refused[]): void {
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

refuses(
  'createAgent',
  [{}, '/name required: Name is required.'],
  [{ name: '  ' }, '/name not_blank: Name must not be blank.'],
  [{ name: 'x'.repeat(101) }, '/name too_long: Name must not have more than 100 characters.'],
  [{ name: 5 }, '/name wrong_type: Name must be a string.'],
  [{ name: 'x', runtime: 5 }, '/runtime wrong_type: Runtime must be a string or null.'],
  [{ name: 'x', skills: 'tasks' }, '/skills wrong_type: Skills must be an array.'],
  [{ name: 'x', skills: [1] }, '/skills/0 wrong_type: Item 1 of skills must be a string.'],
  [{ name: 'x', instructions: 'a\0b' }, `/instructions unsupported_character: Instructions ${textRule}`],
  [
    { name: 'x', model_options: options },
    '/model_options/max_output_tokens too_small: Max output tokens of model options must be at least 1.',
    `/model_options/reasoning_effort not_one_of: Reasoning effort of model options must be one of ${efforts}.`,
    '/model_options/temperature too_large: Temperature of model options must be at most 2.',
  ],
);

refuses('updateAgent', [
  { name: null, skills: ['', 5], instructions: 7, runtime: 5 },
  '/instructions wrong_type: Instructions must be a string or null.',
  '/name wrong_type: Name must be a string.',
  '/runtime wrong_type: Runtime must be a string or null.',
  '/skills/0 not_blank: Item 1 of skills must not be blank.',
  '/skills/1 wrong_type: Item 2 of skills must be a string.',
]);

const tooLarge = '/context too_large: Context must not be larger than 65536 bytes as JSON.';
refuses(
  'runAgent',
  [{}, '/input required: Input is required.'],
  [{ input: ' \n ' }, '/input not_blank: Input must not be blank.'],
  [{ input: 'x'.repeat(65_537) }, '/input too_long: Input must not have more than 65536 characters.'],
  [{ input: 'x', context: 'y' }, '/context wrong_type: Context must be an object.'],
  [{ input: 'x', context: [] }, '/context wrong_type: Context must be an object.'],
  [
    { input: 'x', context: { note: 'a\0b' } },
    `/context/note unsupported_character: Note of context ${textRule}`,
  ],
  [{ input: 'x', context: { a: 'ä'.repeat(33_000) } }, tooLarge],
  [{ input: '', context: { a: 'x'.repeat(66_000) } }, tooLarge, '/input not_blank: Input must not be blank.'],
  [
    { input: 'x', context: { task_id: 'nowhere' } },
    '/context/task_id not_found: Task id of context must be the id of one of your tasks.',
  ],
  ...['a/b', '.', '..', ''].map((session_id): Refused => [
    { input: 'x', context: { session_id } },
    `/context/session_id malformed: Session id of context ${sessionRule}`,
  ]),
);

const first = 'of item 1 of decisions';
refuses(
  'decideToolCalls',
  [{}, '/decisions required: Decisions is required.'],
  [{ decisions: [] }, '/decisions too_small: Decisions must not have fewer than 1 item.'],
  [
    { decisions: [{ approve: true }] },
    `/decisions/0/tool_call_id required: Tool call id ${first} is required.`,
  ],
  [{ decisions: [{ tool_call_id: 'x' }] }, `/decisions/0/approve required: Approve ${first} is required.`],
  [
    { decisions: [{ tool_call_id: 'x', approve: 'yes' }] },
    `/decisions/0/approve wrong_type: Approve ${first} must be a boolean.`,
  ],
  [
    { decisions: [{ tool_call_id: 'x', approve: false, reason: 'a\0b' }] },
    `/decisions/0/reason unsupported_character: Reason ${first} ${textRule}`,
  ],
);

refuses('updateSession', [
  { title: 'x'.repeat(201), metadata: 'x'.repeat(65_537) },
  '/metadata too_long: Metadata must not have more than 65536 characters.',
  '/title too_long: Title must not have more than 200 characters.',
]);
