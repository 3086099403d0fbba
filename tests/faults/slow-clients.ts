import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendRaw } from '../support/raw.ts';
import { tokenFor } from '../support/tokens.ts';
import { attempt } from './attempt.ts';
import { above, quantile, seconds, type Finding, type Trial } from './finding.ts';
import { startServer } from './server-process.ts';

const limitMs = 2000;
/** Node looks for overdue connections once a second. */
const lateMs = limitMs + 2000;

/** Opens connections that send a byte now and then, and heads that are too large. */
export async function trySlowClients({ isShort, databases }: Trial): Promise<Finding[]> {
  await using database = await databases.fresh('Postgres');
  await using server = await startServer({ ...database.env, REQUEST_TIMEOUT_MS: String(limitMs) });
  const token = await tokenFor('slow');
  const count = isShort ? 50 : 500;
  const head = `POST /api/tasks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n`;
  const slow = Array.from({ length: count }, (_, index) =>
    trickle(server.url, index % 2 === 0 ? `${head}X-Slow: ` : `${head}Content-Length: 1000\r\n\r\n{`),
  );
  const quick: number[] = [];
  const client = await server.as('quick');
  const broken: string[] = [];
  for (const startMs = performance.now(); performance.now() - startMs < limitMs;) {
    await sleep(20);
    const sent = await attempt(client, 'listTasks');
    quick.push(sent.ms);
    if (sent.kind !== 'answered' || sent.answer.status !== 200)
      broken.push(`a quick request was ${sent.kind}`);
  }
  const answers = await Promise.all(slow);
  const others = answers.filter(({ text }) => !/^HTTP\/1\.1 408 .*"code":"Request timeout"/s.test(text));
  const slowest = Math.max(...answers.map(({ ms }) => ms));
  broken.push(...others.map(({ text }) => `a slow client got "${text.slice(0, 40)}"`));
  broken.push(...(await tooMuch(server.url, head)));
  return [
    {
      promise: 'slow clients and large heads',
      engine: 'Postgres',
      tried: `${count} connections that send a byte now and then, 3 heads and bodies that are too large`,
      lost: `${broken.length}`,
      recovery: `the slow were answered after at most ${seconds(slowest)}, others meanwhile in p99 ${quantile(quick, 0.99).toFixed(0)} ms`,
      figure: `408 within ${seconds(lateMs)}, 431, 413`,
      broken,
      beyond: above('the slowest 408 took', slowest, lateMs, 'ms'),
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

/** Too many headers, too large ones, and too large a body are told apart. */
async function tooMuch(url: string, head: string): Promise<string[]> {
  const many = Array.from({ length: 3000 }, () => 'a:b').join('\r\n');
  const cases: readonly (readonly [string, number])[] = [
    [`${head}${many}\r\nContent-Length: 13\r\nConnection: close\r\n\r\n{"title":"x"}`, 431],
    [`${head}X-Large: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    [`${head}Content-Length: 2000000\r\nConnection: close\r\n\r\n{`, 413],
  ];
  const broken: string[] = [];
  for (const [text, status] of cases) {
    const answer = await sendRaw(url, text);
    if (!answer.startsWith(`HTTP/1.1 ${status} `)) broken.push(`not ${status} but "${answer.slice(0, 30)}"`);
  }
  return broken;
}
