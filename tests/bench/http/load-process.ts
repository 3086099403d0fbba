/**
 * The process of the load generator. For each message, it sends requests, one at a time on each connection, and replies
 * with the measurements. It writes prepared requests and parses only the heads of responses, so it uses far less
 * processor time than the servers that it measures.
 */
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Load {
  readonly port: number;
  /** Complete requests, sent in order and then from the start again. */
  readonly requests: readonly string[];
  readonly connections: number;
  /** How long to send requests before measuring. */
  readonly rampUpMs: number;
  readonly ms: number;
}

export interface LoadResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Responses other than 2xx, and broken connections. */
  readonly errors: number;
}

interface LoadState {
  readonly timesMs: number[];
  errors: number;
  isMeasuring: boolean;
  isOver: boolean;
}

process.on('message', (load: Load) => void measure(load).then((outcome) => process.send?.(outcome)));
process.on('disconnect', () => {
  process.exit();
});
process.send?.('ready');

async function measure({ port, requests, connections, rampUpMs, ms }: Load): Promise<LoadResult> {
  const buffers = requests.map((request) => Buffer.from(request));
  let sent = 0;
  const next = (): Buffer => withNextKey(buffers[sent++ % buffers.length] ?? Buffer.alloc(0));
  const state: LoadState = { timesMs: [], errors: 0, isMeasuring: false, isOver: false };
  const connectionsClosed = Array.from({ length: connections }, () => runConnection(port, next, state));
  await sleep(rampUpMs);
  state.isMeasuring = true;
  const start = performance.now();
  await sleep(ms);
  state.isMeasuring = false;
  const elapsedMs = performance.now() - start;
  state.isOver = true;
  await Promise.all(connectionsClosed);
  const sorted = Float64Array.from(state.timesMs).sort();
  const quantile = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? NaN;
  const answeredPerSecond = (state.timesMs.length * 1000) / elapsedMs;
  return { perSecond: answeredPerSecond, p50Ms: quantile(0.5), p99Ms: quantile(0.99), errors: state.errors };
}

/** Sends the next request as soon as the last request was answered. */
function runConnection(port: number, next: () => Buffer, state: LoadState): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let sentAt = 0;
    const send = (): void => {
      if (state.isOver) {
        socket.end();
        return;
      }
      sentAt = performance.now();
      socket.write(next());
    };
    readResponses(socket, (isSuccess) => {
      if (!isSuccess) state.errors += 1;
      if (state.isMeasuring) state.timesMs.push(performance.now() - sentAt);
      send();
    });
    socket.on('connect', send);
    socket.on('error', () => (state.errors += 1));
    socket.on('close', () => {
      // The server has closed the connection without a response.
      if (!state.isOver) state.errors += 1;
      resolve();
    });
  });
}

/** Calls `onResponse` after each complete response. It ends by Content-Length or chunked encoding. */
function readResponses(socket: Socket, onResponse: (isSuccess: boolean) => void): void {
  let left = 0;
  let isChunked = false;
  let isSuccess = false;
  let tail = '';
  socket.on('data', (data: Buffer) => {
    let body = data;
    if (left === 0 && !isChunked) {
      const end = data.indexOf('\r\n\r\n');
      const head = data.toString('latin1', 0, end);
      body = data.subarray(end + 4);
      isSuccess = head.startsWith('2', 9);
      const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
      isChunked = length === undefined;
      left = Number(length ?? 0);
      tail = '';
    }
    if (isChunked) {
      tail = (tail + body.toString('latin1', Math.max(0, body.length - 5))).slice(-5);
      isChunked = tail !== '0\r\n\r\n';
      if (!isChunked) onResponse(isSuccess);
      return;
    }
    left -= body.length;
    if (left === 0) onResponse(isSuccess);
  });
}

// A random prefix, because the database still has the keys of earlier processes.
const keyPrefix = randomBytes(6).toString('hex');
const keyHeader = 'Idempotency-Key: ';
let keysUsed = 0;

/** The bytes of a request. An idempotency key is replaced by a new one. */
function withNextKey(request: Buffer): Buffer {
  const start = request.indexOf(keyHeader) + keyHeader.length;
  if (start < keyHeader.length) return request;
  const bytes = Buffer.from(request);
  const length = request.indexOf('\r\n', start) - start;
  bytes.write(`${keyPrefix}${String(keysUsed++).padStart(length - keyPrefix.length, '0')}`, start, 'latin1');
  return bytes;
}
