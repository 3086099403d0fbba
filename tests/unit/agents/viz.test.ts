import { expect, it } from 'vitest';
import { createSkills } from '../../../server/src/agents/skills/skills.ts';
import type { Db } from '../../../server/src/db/tables.ts';
import type { InternalRequest, CallOperation } from '../../../server/src/operation.ts';

const requests: InternalRequest[] = [];

/** Drawing does not use the database. */
const noDatabase = undefined as unknown as Db;

/** Returns the same picture for every request. */
const draw = ((_id, request) => {
  requests.push(request);
  return Promise.resolve({ status: 200, body: { png_base64: 'cGljdHVyZQ==' } });
}) as CallOperation;

it('the skill viz returns a picture for the user and a reference for the model', async () => {
  const [tool] = createSkills(draw, (operation) => operation === 'renderPng').get('viz') ?? [];
  const caller = { id: 'alice', name: 'alice', agent: { id: 'a', name: 'Planner', sessionId: 's' } };
  const values = { chart_type: 'pie', data: [{ label: 'todo', value: 1 }] };

  const result = await tool?.call(values, { db: noDatabase, caller, context: {} });

  expect(tool?.name).toBe('render_chart');
  expect(requests).toEqual([{ caller, body: values }]);
  expect(result).toEqual({
    content: '{"shown_to_user":"chart.png"}',
    attachments: [{ media_type: 'image/png', name: 'chart.png', data_base64: 'cGljdHVyZQ==' }],
  });
});

it('a skill has no tools for operations that the server does not have', () => {
  const skills = createSkills(draw, () => false);

  expect([...skills.values()].flat()).toEqual([]);
});
