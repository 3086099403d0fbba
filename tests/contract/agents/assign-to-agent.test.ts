import { describe, expect } from 'vitest';
import { createAgent } from '../../support/agents.ts';
import { unknownId } from '../../support/requests.ts';
import { sharedServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';
import { createTask } from '../../support/tasks.ts';

const server = sharedServer();
const alice = await server.as('alice');
const mallory = await server.as('mallory');
const agent = await createAgent(alice, { name: 'Planner' });

spec('assignTask', 200, 'an assignment to an agent of the caller has its name', async () => {
  const { id } = await createTask(alice);

  const { body } = await alice.ok('assignTask', {
    id,
    body: { assignee_type: 'agent', assignee_id: agent.id },
  });

  expect(body).toMatchObject({ assignee_type: 'agent', assignee_id: agent.id, assignee_name: 'Planner' });
});

spec('assignTask', 200, 'an assignment keeps the name that the request gives an agent', async () => {
  const { id } = await createTask(alice);
  const assignment = { assignee_type: 'agent', assignee_id: agent.id, assignee_name: 'My planner' };

  const { body } = await alice.ok('assignTask', { id, body: assignment });

  expect(body).toMatchObject(assignment);
});

describe.each(['nowhere', unknownId])('the agent %s', (unknown) => {
  spec('assignTask', 200, 'an assignment has no name if the caller has no agent with this id', async () => {
    const { id } = await createTask(alice);

    const { body } = await alice.ok('assignTask', {
      id,
      body: { assignee_type: 'agent', assignee_id: unknown },
    });

    expect(body).toMatchObject({ assignee_type: 'agent', assignee_id: unknown, assignee_name: null });
  });
});

spec('assignTask', 200, "an assignment does not disclose the name of another user's agent", async () => {
  const { id } = await createTask(mallory);
  const assignment = { assignee_type: 'agent', assignee_id: agent.id };

  const { body } = await mallory.ok('assignTask', { id, body: assignment });

  expect(body.assignee_name).toBeNull();
});
