import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendRaw } from '../support/raw.ts';
import { tokenFor } from '../support/tokens.ts';
import { overBudget, quantile, seconds, type Result, type ScenarioRun } from './scenario.ts';
import { sendRequest } from './send-request.ts';
import { startServer } from './server-process.ts';

const requestTimeoutMs = 2000;
/** Node checks its connections for timeouts once a second. */
const maxResponseMs = requestTimeoutMs + 2000;

/** Opens connections that send a few bytes a second, and sends oversized heads and bodies. */
export async function testSlowClients({ isShort, databases }: ScenarioRun): Promise<Result[]> {
  await using database = await databases.create('Postgres');
  await using server = await startServer({ ...database.env, REQUEST_TIMEOUT_MS: String(requestTimeoutMs) });
  const token = await tokenFor('slow');
  const count = isShort ? 50 : 500;
  const head = `POST /api/tasks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n`;
  const slow = Array.from({ length: count }, (_, index) =>
    trickle(server.url, index % 2 === 0 ? `${head}X-Slow: ` : `${head}Content-Length: 1000\r\n\r\n{`),
  );
  const quickMs: number[] = [];
  const client = await server.clientFor('quick');
  const violations: string[] = [];
  for (const startMs = performance.now(); performance.now() - startMs < requestTimeoutMs;) {
    await sleep(20);
    const outcome = await sendRequest(client, 'listTasks');
    quickMs.push(outcome.ms);
    if (outcome.kind !== 'responded' || outcome.response.status !== 200)
      violations.push(`a quick request was ${outcome.kind}`);
  }
  const responses = await Promise.all(slow);
  const others = responses.filter(({ text }) => !/^HTTP\/1\.1 408 .*"code":"Request timeout"/s.test(text));
  const slowest = Math.max(...responses.map(({ ms }) => ms));
  violations.push(...others.map(({ text }) => `a slow client received "${text.slice(0, 40)}"`));
  violations.push(...(await sendOversized(server.url, head)));
  return [
    {
      promise: 'slow clients and oversized requests',
      engine: 'Postgres',
      workload: `${count} connections that send 5 bytes a second, 3 oversized heads and bodies`,
      lost: `${violations.length}`,
      recovery: `slow clients got 408 after at most ${seconds(slowest)}, other requests p99 ${quantile(quickMs, 0.99).toFixed(0)} ms`,
      target: `408 within ${seconds(maxResponseMs)}, 431, 413`,
      violations,
      overBudget: overBudget('the slowest 408 took', slowest, maxResponseMs, 'ms'),
    },
  ];
}

function trickle(url: string, start: string): Promise<{ text: string; ms: number }> {
  const { hostname, port } = new URL(url);
  const startMs = performance.now();
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(start));
    const timer = setInterval(() => socket.write('x'), 200);
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(timer);
      resolve({ text, ms: performance.now() - startMs });
    });
  });
}

/** Too many headers, a header that is too large, and a body that is too large. */
async function sendOversized(url: string, head: string): Promise<string[]> {
  const many = Array.from({ length: 3000 }, () => 'a:b').join('\r\n');
  const cases: readonly (readonly [string, number])[] = [
    [`${head}${many}\r\nContent-Length: 13\r\nConnection: close\r\n\r\n{"title":"x"}`, 431],
    [`${head}X-Large: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    [`${head}Content-Length: 2000000\r\nConnection: close\r\n\r\n{`, 413],
  ];
  const violations: string[] = [];
  for (const [text, status] of cases) {
    const response = await sendRaw(url, text);
    if (!response.startsWith(`HTTP/1.1 ${status} `))
      violations.push(`not ${status} but "${response.slice(0, 30)}"`);
  }
  return violations;
}
