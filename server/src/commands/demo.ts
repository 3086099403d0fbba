import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { issueToken } from '../auth/tokens.ts';
import type { Config } from '../config/config.ts';

/** Pages of this machine may call the demo, from any port. */
const localOrigins = ['localhost', '127.0.0.1', '[::1]'].flatMap((host) => [
  `http://${host}:*`,
  `https://${host}:*`,
]);

/**
 * The configuration of a demo: it keeps its data in memory, and ignores the configured database, issuer, models and MCP
 * servers. It signs its tokens with a new key, because they are printed.
 */
export function demoConfig(config: Config): Config {
  return {
    ...config,
    corsOrigins: config.corsOrigins.length > 0 ? config.corsOrigins : localOrigins,
    database: { ...config.database, setting: '--demo', url: undefined, isInMemory: true },
    agents: { ...config.agents, models: [], mcpSkills: [], defaultRuntime: 'builtin' },
    tokens: {
      secret: randomBytes(32).toString('hex'),
      previousSecret: undefined,
      jwksUrl: undefined,
      issuer: undefined,
      audience: undefined,
    },
  };
}

/** Fills a new demo through HTTP. Resolves to what the demo prints when it is ready. */
export async function prepareDemo(config: Config, url: string, logger: Logger): Promise<string> {
  // No log lines for these requests: they would push the tokens out of the terminal.
  const { level } = logger;
  logger.level = 'silent';
  const key = new TextEncoder().encode(config.tokens.secret);
  const tokenOf = (user: string, name: string): Promise<string> =>
    issueToken(key, config.tokens, { user, name, ttl: '1y' });
  const [alice, bob] = await Promise.all([tokenOf('alice', 'Alice'), tokenOf('bob', 'Bob')]);
  const [first, ...others] = demoTasks(new Date());
  // Created one after the other, so that the order is the same in every demo.
  for (const task of others) await post(url, alice, '/api/tasks', task);
  await post(url, bob, '/api/tasks', first);
  const { id } = await post(url, alice, '/v1/agents', { name: 'Planner', skills: ['tasks', 'viz'] });
  const request = { input: 'chart my tasks by status', context: { session_id: 'demo' } };
  // The chart is drawn in the background.
  await post(url, alice, `/v1/agents/${id}/run`, request);
  logger.level = level;
  return `This is a demo: its data is in memory, and each start begins with fresh data. Alice has 39 tasks, an agent and the session "demo".

  alice  ${alice}
  bob    ${bob}

  curl -s ${url}/api/tasks -H 'Authorization: Bearer ${alice}'

`;
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
  // The cast is safe: the response with an agent has an id, and only this id is used.
  return (await response.json()) as { id: string };
}

const titles = ['Buy milk', 'Call the bank', 'Review the draft', 'Book the flights', 'Renew the passport'];
const statuses = ['todo', 'todo', 'in_progress', 'blocked', 'done', 'cancelled'];
const priorities = ['none', 'low', 'medium', 'high'];
const tags = ['home', 'work,urgent', 'work', null];

/** The bodies of 40 tasks in all states. Some are overdue, unassigned or undated. */
function demoTasks(now: Date): object[] {
  return Array.from({ length: 40 }, (_, i) => {
    const dueAt = new Date(now.getTime() + (i - 12) * 86_400_000);
    return {
      title: `${titles[i % titles.length]} (${i + 1})`,
      description: i % 3 === 0 ? 'As discussed on Monday.' : null,
      status: statuses[i % statuses.length],
      priority: priorities[i % priorities.length],
      tags: tags[i % tags.length],
      workspace_id: i % 2 === 0 ? 'home' : 'office',
      due_date: i % 5 === 0 ? null : dueAt.toISOString().slice(0, 10),
      ...(i % 4 === 1 ? { assignee_id: 'bob', assignee_name: 'Bob' } : {}),
    };
  });
}
