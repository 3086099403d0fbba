import { integer, ms, table } from '../markdown.ts';
import { median } from '../rounds.ts';
import { databaseUrl, onDatabase } from './database.ts';
import { loadRounds, medianRound, ratios, type Round } from './load-rounds.ts';
import { roundOptions } from './rates.ts';
import { findSubjects, get, requestsOf, toolCall } from './requests.ts';
import { startOurs, startPeer } from './servers.ts';

/** The target for the rate of a tool call, as a share of the same operation's rate over HTTP. */
const target = 0.7;

/**
 * Measures on one server the rates of tool calls and of the same requests over HTTP. Also measures the protocol's
 * package alone, which is an upper bound for every server that uses it.
 */
export async function measureToolCalls(): Promise<string> {
  const subjects = await onDatabase(databaseUrl, findSubjects);
  const { readers } = subjects;
  const operations = {
    'GET one': {
      http: requestsOf('GET one', subjects),
      calls: readers.flatMap((reader) => reader.taskIds.map((id) => toolCall(reader, 'get_task', { id }))),
    },
    'list of 20': {
      http: readers.map((reader) => get(reader, '/api/tasks?limit=20')),
      calls: readers.map((reader) => toolCall(reader, 'list_tasks', {})),
    },
  };
  await using server = await startOurs({ DATABASE_URL: databaseUrl });
  await using packageAlone = await startPeer('mcp-package', {});
  const rows: string[][] = [];
  for (const [name, { http, calls }] of Object.entries(operations)) {
    for (const { port } of [server, packageAlone]) await assertSuccess(port, calls[0] ?? '');
    const entries = [
      { server, requests: http },
      { server, requests: calls },
      { server: packageAlone, requests: calls },
    ];
    const [ofHttp = [], ofCalls = [], ofPackage = []] = await loadRounds(entries, roundOptions);
    rows.push([`${name}, HTTP`, ...cellsOf(ofHttp), '']);
    rows.push([`${name}, tool call`, ...cellsOf(ofCalls), shareOf(ofCalls, ofHttp)]);
    rows.push([`${name}, package alone`, ...cellsOf(ofPackage), shareOf(ofPackage, ofHttp)]);
  }
  const headings = [`${roundOptions.connections} connections`, 'requests/s', 'p50', 'p99', 'server CPU µs'];
  return table([...headings, `of HTTP's rate (target ${target})`], rows);
}

function cellsOf(rounds: readonly Round[]): string[] {
  const { perSecond, p50Ms, p99Ms, cpuUs, errors } = medianRound(rounds);
  return [errors === 0 ? integer(perSecond) : `${errors} ERRORS`, ms(p50Ms), ms(p99Ms), integer(cpuUs)];
}

function shareOf(rounds: readonly Round[], http: readonly Round[]): string {
  const shares = ratios(rounds, http);
  const [least, most] = [Math.min(...shares).toFixed(2), Math.max(...shares).toFixed(2)];
  return `${median(shares).toFixed(2)} (${least} to ${most})`;
}

/** A failed call gets 200, which the load generator would count as a success. */
async function assertSuccess(port: number, request: string): Promise<void> {
  const [head = '', body = ''] = request.split('\r\n\r\n');
  const headers = head
    .split('\r\n')
    .slice(1)
    .map((line): [string, string] => [line.split(': ')[0] ?? '', line.split(': ')[1] ?? ''])
    .filter(([name]) => !/^(?:Host|Content-Length)$/.test(name));
  const response = await fetch(`http://127.0.0.1:${port}/mcp`, { method: 'POST', headers, body });
  const text = await response.text();
  if (!response.ok || !text.includes('"structuredContent"') || text.includes('"isError":true'))
    throw new Error(`The tool call was answered ${response.status}: ${text}`);
}
