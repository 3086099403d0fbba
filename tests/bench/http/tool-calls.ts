import { median } from '../median.ts';
import { ours } from './contenders.ts';
import { cleanUp, databaseUrl, onDatabase } from './database.ts';
import { startLoadGenerator } from './load.ts';
import { integer, ms, table } from './markdown.ts';
import { findSubjects, get, requestsOf, type Subjects, type User } from './requests.ts';
import { startPeer } from './servers.ts';
import { medianRound, ratios, runRounds, type RoundResult } from './rounds.ts';

/** The rate of a tool call as a part of the rate of the same operation over HTTP. */
const target = 0.7;

const options = {
  connections: 32,
  rounds: Number(process.env['BENCH_ROUNDS'] ?? 5),
  roundMs: Number(process.env['BENCH_ROUND_MS'] ?? 2000),
  warmUpMs: 4000,
  rampUpMs: 300,
};

const operations = ['GET one', 'list of 20', 'POST'] as const;
const revisions = ['2026-07-28', '2025-11-25'] as const;

/**
 * The rates of tool calls next to those of the same requests over HTTP, on one server, and of the protocol's package alone,
 * which no server that uses it can exceed.
 */
export async function measureToolCalls(): Promise<string> {
  const subjects = await onDatabase(databaseUrl, findSubjects);
  const server = await ours.start({ DATABASE_URL: databaseUrl });
  const packageAlone = await startPeer('mcp-package', [], {});
  const generator = await startLoadGenerator();
  try {
    const rows: string[][] = [];
    for (const operation of operations) {
      const overHttp =
        operation === 'list of 20'
          ? subjects.readers.map((reader) => get(reader, '/api/tasks?limit=20'))
          : requestsOf(operation, subjects, ours);
      const calls = revisions.map((revision) => toolCalls(operation, subjects, revision));
      for (const each of [server, packageAlone])
        for (const [call = ''] of calls) await assertSuccess(each.port, call);
      const entries = [
        { server, requests: overHttp },
        ...calls.map((requests) => ({ server, requests })),
        ...calls.map((requests) => ({ server: packageAlone, requests })),
      ];
      const [http = [], ...tools] = await runRounds(entries, generator, options);
      rows.push([`${operation}, HTTP`, ...cellsOf(http), '']);
      for (const [i, rounds] of tools.entries()) {
        const kind = i < revisions.length ? 'tool call' : 'package alone';
        const revision = revisions[i % revisions.length] ?? '';
        rows.push([`${operation}, ${kind}, ${revision}`, ...cellsOf(rounds), shareOf(rounds, http)]);
      }
    }
    const headings = ['32 connections', 'requests/s', 'p50', 'p99', 'server CPU µs', 'errors'];
    return table([...headings, `of HTTP (target ${target})`], rows);
  } finally {
    generator.stop();
    await server.stop();
    await packageAlone.stop();
    await cleanUp(databaseUrl);
  }
}

function cellsOf(rounds: readonly RoundResult[]): string[] {
  const { perSecond, p50Ms, p99Ms, cpuUs, errors } = medianRound(rounds);
  return [integer(perSecond), ms(p50Ms), ms(p99Ms), integer(cpuUs), integer(errors)];
}

function shareOf(rounds: readonly RoundResult[], http: readonly RoundResult[]): string {
  const shares = ratios(rounds, http);
  const [least, most] = [Math.min(...shares).toFixed(2), Math.max(...shares).toFixed(2)];
  return `${median(shares).toFixed(2)} (${least} to ${most})`;
}

/** The tool calls that have the effect of the HTTP requests of an operation. */
function toolCalls(
  operation: (typeof operations)[number],
  { readers, writers }: Subjects,
  revision: (typeof revisions)[number],
): string[] {
  switch (operation) {
    case 'GET one':
      return Array.from({ length: 20 }, (_, i) =>
        readers.map((reader) => toolCall(revision, reader, 'get_task', { id: reader.taskIds[i] })),
      ).flat();
    case 'list of 20':
      return readers.map((reader) => toolCall(revision, reader, 'list_tasks', {}));
    case 'POST':
      return writers.map((writer, i) =>
        toolCall(revision, writer, 'create_task', {
          title: `Prepare the review of quarter ${(i % 4) + 1}`,
          description:
            'Collect the figures of all teams, compare them with the plan, and write down what is to be decided.',
          workspace_id: `workspace-${i % 4}`,
          priority: '1',
          due_date: '2027-01-31',
          tags: 'review,quarter',
        }),
      );
  }
}

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

function toolCall(
  revision: (typeof revisions)[number],
  { token }: User,
  name: string,
  values: object,
): string {
  const isModern = revision === '2026-07-28';
  const params = { name, arguments: values, ...(isModern ? { _meta: envelope } : {}) };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const headers = {
    Host: '127.0.0.1',
    Accept: 'application/json, text/event-stream',
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'MCP-Protocol-Version': revision,
    ...(isModern ? { 'Mcp-Method': 'tools/call', 'Mcp-Name': name } : {}),
  };
  const lines = Object.entries(headers).map(([header, value]) => `${header}: ${value}\r\n`);
  return `POST /mcp HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

/** A failed call is answered 200, which the load generator would count as a success. */
async function assertSuccess(port: number, request: string): Promise<void> {
  const [head = '', body = ''] = request.split('\r\n\r\n');
  const lines = head.split('\r\n').slice(1);
  const headers = lines
    .map((line) => line.split(': ') as [string, string])
    .filter(([name]) => !/^(?:Host|Content-Length)$/.test(name));
  const response = await fetch(`http://127.0.0.1:${port}/mcp`, { method: 'POST', headers, body });
  const text = await response.text();
  if (!response.ok || !text.includes('"structuredContent"') || text.includes('"isError":true'))
    throw new Error(`The tool call was answered ${response.status}: ${text}`);
}
