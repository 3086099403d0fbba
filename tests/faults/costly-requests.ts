import { brotliCompressSync, gzipSync } from 'node:zlib';
import { requestText } from './connection.ts';
import { unknownId } from '../support/requests.ts';

/** A request that costs the server much more than its caller. */
export interface CostlyRequest {
  readonly name: string;
  readonly request: (token: string) => string;
  /** By default, a single caller. */
  readonly callers?: readonly string[];
  /**
   * Requests per second. If undefined, each connection sends its next request when the previous one is answered.
   */
  readonly rate?: number;
  readonly connections?: number;
  /** A limit for the time of another user's requests. The default is a multiple of their time without load. */
  readonly p99MaxMs?: number;
  /**
   * True if the requests need the whole machine. The server then only has to survive, without using too much memory.
   */
  readonly isAttack?: boolean;
}

const kilobytes = (count: number, text: string): string => text.repeat((count * 1024) / text.length);

const post = (path: string, body: Buffer | string, headers?: readonly string[]) => (token: string) =>
  requestText('POST', path, token, Buffer.from(body), headers);

const packed = (path: string, json: string): CostlyRequest['request'] =>
  post(path, gzipSync(json), ['Content-Encoding: gzip']);

const brotli = (path: string, json: string): CostlyRequest['request'] =>
  post(path, brotliCompressSync(json), ['Content-Encoding: br']);

const points = Array.from({ length: 10_000 }, (_, i) => ({ label: `point ${i}`, value: (i * 37) % 1000 }));

export const costlyRequests: readonly CostlyRequest[] = [
  {
    name: 'a gzip of a hundred texts with NUL under a key of 1,000 KiB',
    request: packed(
      '/api/tasks',
      JSON.stringify({ x: { [kilobytes(1000, 'k')]: Array.from({ length: 100 }, () => '\0') } }),
    ),
    isAttack: true,
  },
  {
    name: 'thirty gzips of half a million zeros at once',
    request: (token) =>
      packed('/api/v1/viz/render/svg', `{"x":[${kilobytes(1020, '0,')}0]}`)(token).repeat(30),
    connections: 300,
    isAttack: true,
  },
  {
    name: 'a brotli of 340,000 values before a key that could change a prototype',
    request: brotli('/api/v1/viz/render/svg', `{"x":[${kilobytes(680, '0,')}0],"__proto__":{}}`),
    rate: 20,
  },
  {
    name: 'a brotli of 58 levels, each with thousands of values',
    request: brotli('/api/tasks', `${`{"x":[${kilobytes(16, '{},')}{}],"y":`.repeat(57)}1${'}'.repeat(57)}`),
    rate: 20,
  },
  {
    name: '90,000 unknown fields with a key',
    request: post(
      '/api/tasks',
      `{"title":"x",${Array.from({ length: 90_000 }, (_, i) => `"f${i}":1`).join()}}`,
      ['Idempotency-Key: one'],
    ),
    rate: 20,
  },
  {
    name: 'a search for 200 equal letters in 100 tasks of 65,536',
    request: (token) => requestText('GET', `/api/tasks?q=${'a'.repeat(200)}`, token),
    callers: ['searcher'],
    rate: 2,
  },
  {
    name: 'a search among 3,000 short tasks',
    request: (token) => requestText('GET', '/api/tasks?q=zzz', token),
    callers: ['collector'],
    rate: 2,
  },
  {
    name: '10,001 empty points of ten callers',
    request: post('/api/v1/viz/render/svg', `{"data":[${'{},'.repeat(10_000)}{}]}`),
    callers: Array.from({ length: 10 }, (_, i) => `caller-${i}`),
    rate: 200,
    connections: 100,
  },
  {
    name: 'pages of control characters, which are six times as long in JSON',
    request: (token) => requestText('GET', '/api/tasks?limit=1000', token),
    callers: ['hoarder'],
    isAttack: true,
  },
  {
    name: 'reads on 300 connections',
    request: (token) => requestText('GET', `/api/tasks/${unknownId}`, token),
    connections: 300,
  },
  {
    name: 'creates on 64 connections',
    request: post('/api/tasks', '{"title":"x"}'),
    connections: 64,
  },
  {
    name: 'lists of tools on 100 connections',
    request: post('/mcp', '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}', [
      'Accept: application/json, text/event-stream',
      'MCP-Protocol-Version: 2025-11-25',
    ]),
    connections: 100,
  },
  {
    name: 'pages of changes with their tasks on 100 connections',
    request: (token) => requestText('GET', '/api/changes?after=0&limit=100&include=task', token),
    callers: ['collector'],
    connections: 100,
  },
  {
    name: 'lists of 1,000 tasks on 64 connections',
    request: (token) => requestText('GET', '/api/tasks?limit=1000', token),
    callers: ['collector'],
    connections: 64,
  },
  ...(
    [
      ['svg', 'bar'],
      ['svg', 'line'],
      ['png', 'line'],
    ] as const
  ).map(([format, chart_type]) => ({
    name: `${chart_type}s of 10,000 points as ${format} on 100 connections`,
    request: post(`/api/v1/viz/render/${format}`, JSON.stringify({ chart_type, data: points })),
    connections: 100,
    p99MaxMs: 250,
  })),
];
