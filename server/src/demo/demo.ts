import type { Logger } from 'pino';
import { issueToken } from '../auth/tokens.ts';
import type { Config } from '../config/config.ts';
import { demoTasks } from './data.ts';

const users = [
  { user: 'alice', name: 'Alice' },
  { user: 'bob', name: 'Bob' },
] as const;

/** Fills a new demo through HTTP. Resolves to what the demo prints when it is ready. */
export async function prepareDemo(config: Config, url: string, logger: Logger): Promise<string> {
  // No log lines for these requests: they would push the tokens out of the terminal.
  const { level } = logger;
  logger.level = 'silent';
  const key = new TextEncoder().encode(config.tokens.secret);
  const [alice, bob] = await Promise.all(
    users.map((each) => issueToken(key, config.tokens, { ...each, ttl: '1y' })),
  );
  if (alice === undefined || bob === undefined) throw new Error('A demo has two users.');
  const [first, ...others] = demoTasks(new Date());
  // Created one after the other, so that the order is the same in every demo.
  for (const task of others) await post(url, alice, '/api/tasks', task);
  await post(url, bob, '/api/tasks', first);
  const { id } = await post(url, alice, '/v1/agents', { name: 'Planner', skills: ['tasks', 'viz'] });
  const request = { input: 'chart my tasks by status', context: { session_id: 'demo' } };
  // The chart is drawn in the background.
  await post(url, alice, `/v1/agents/${id}/run`, request);
  logger.level = level;
  return [
    `This is a demo: its data is in memory, and each start begins with fresh data. Alice has 39 tasks, an agent and the session "demo".`,
    '',
    `  alice  ${alice}`,
    `  bob    ${bob}`,
    '',
    `  curl -s ${url}/api/tasks -H 'Authorization: Bearer ${alice}'`,
    '',
    '',
  ].join('\n');
}

async function post(url: string, token: string, path: string, body: unknown): Promise<{ id: string }> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      Prefer: 'respond-async',
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`The demo could not be filled: ${await response.text()}`);
  // The response with an agent has its id. The ids of other responses are not used.
  return (await response.json()) as { id: string };
}
