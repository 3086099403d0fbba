import { expect, it } from 'vitest';
import { createSkills } from '../../../server/src/agents/skills/skills.ts';
import { createLogger } from '../../../server/src/log.ts';
import type { InternalRequest, CallOperation } from '../../../server/src/operation.ts';
import { testConfig } from '../../support/config.ts';

const requests: InternalRequest[] = [];

/** Returns the same picture for every request. */
const draw = ((_id, request) => {
  requests.push(request);
  return Promise.resolve({ status: 200, body: { png_base64: 'cGljdHVyZQ==' } });
}) as CallOperation;

const { signal } = new AbortController();
const options = {
  config: testConfig({ dataDir: '' }).agents,
  callOperation: draw,
  logger: createLogger('silent'),
};

it('the skill viz returns a picture for the user and a reference for the model', async () => {
  const skills = await createSkills({ ...options, hasOperation: (operation) => operation === 'renderPng' });
  const [tool] = (await skills.get('viz')?.(signal)) ?? [];
  const caller = { id: 'alice', name: 'alice', agent: { id: 'a', name: 'Planner', sessionId: 's' } };
  const values = { chart_type: 'pie', data: [{ label: 'todo', value: 1 }] };

  const result = await tool?.call(values, {
    ...{ caller, context: {} },
    ...{ signal, begin: () => Promise.resolve() },
  });

  expect(tool?.name).toBe('render_chart');
  expect(requests).toEqual([{ caller, body: values }]);
  expect(result).toEqual({
    content: '{"shown_to_user":"chart.png"}',
    attachments: [{ media_type: 'image/png', name: 'chart.png', data_base64: 'cGljdHVyZQ==' }],
  });
});

it('a skill has no tools for operations that the server does not have', async () => {
  const skills = await createSkills({ ...options, hasOperation: () => false });

  expect((await Promise.all([...skills.values()].map((tools) => tools(signal)))).flat()).toEqual([]);
});
