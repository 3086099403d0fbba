import { beforeAll, describe, expect } from 'vitest';
import { createAgent, messagesOf, runAgent } from '../../../support/agents.ts';
import type { Client } from '../../../support/client.ts';
import { sharedServer } from '../../../support/server.ts';
import { spec } from '../../../support/spec.ts';
import { createTask } from '../../../support/tasks.ts';

describe('an agent with the skill viz', () => {
  let alice: Client;

  beforeAll(async () => {
    alice = await sharedServer().as('alice');
    await createTask(alice, { status: 'done' });
    await createTask(alice);
  });

  spec(
    'runAgent',
    200,
    'a chart is an attachment for the user, and the model receives only a reference to it',
    async () => {
      const agent = await createAgent(alice);

      const { body } = await runAgent(alice, agent, 'draw a pie chart of my tasks by status', {
        context: { session_id: 'drawn' },
      });

      expect(body.output).toBe('Drew a pie chart of 2 tasks by status.');
      const messages = await messagesOf(alice, 'drawn');
      const [attachment] = messages.flatMap(({ attachments }) => attachments ?? []);
      expect(attachment).toMatchObject({ media_type: 'image/png', name: 'chart.png' });
      const bytes = Buffer.from(attachment?.data_base64 ?? '', 'base64');
      expect(bytes.subarray(1, 4).toString()).toBe('PNG');
      expect(messages.some(({ content }) => content.includes(attachment?.data_base64 ?? ''))).toBe(false);
    },
  );

  spec('runAgent', 200, 'draws tasks by month, horizontal bars and a donut', async () => {
    const agent = await createAgent(alice);

    const { body } = await runAgent(
      alice,
      agent,
      'draw a line chart of my tasks by month; draw a horizontal bar chart of my tasks; draw a donut chart of my tasks',
      { context: { session_id: 'months' } },
    );

    expect(body.output).toBe(
      'Drew a line chart of 2 tasks by month.\nDrew a horizontal bar chart of 2 tasks by status.\nDrew a donut chart of 2 tasks by status.',
    );
    const messages = await messagesOf(alice, 'months');
    expect(messages.flatMap(({ attachments }) => attachments ?? [])).toHaveLength(3);
  });
});
