/**
 * The load, in a process of its own: told what to send where, it keeps a request waiting on each connection and answers
 * with what it saw. Whole requests are written as they are and only the heads of answers are read, so that it costs far
 * less than any server it measures.
 */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Load {
  readonly port: number;
  /** Whole requests, sent one after the other and again from the start. */
  readonly requests: readonly string[];
  readonly connections: number;
  /** Requests come at this pace, whatever the earlier ones took; without it, one always waits on each connection. */
  readonly perSecond?: number;
  /** How long to send before anything counts. */
  readonly leadMs: number;
  readonly ms: number;
}

export interface Outcome {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers that were no success, and connections that broke. */
  readonly errors: number;
}

interface Tally {
  readonly times: number[];
  errors: number;
  isCounting: boolean;
  isOver: boolean;
}

process.on('message', (load: Load) => void measure(load).then((outcome) => process.send?.(outcome)));
process.on('disconnect', () => {
  process.exit();
});
process.send?.('ready');

async function measure({ port, requests, connections, perSecond, leadMs, ms }: Load): Promise<Outcome> {
  const buffers = requests.map((request) => Buffer.from(request));
  let sent = 0;
  const next = (): Buffer => buffers[sent++ % buffers.length] ?? Buffer.alloc(0);
  const tally: Tally = { times: [], errors: 0, isCounting: false, isOver: false };
  const everyMs = perSecond === undefined ? 0 : (connections * 1000) / perSecond;
  const ended = Array.from({ length: connections }, () => talk({ port, next, everyMs }, tally));
  await sleep(leadMs);
  tally.isCounting = true;
  const start = performance.now();
  await sleep(ms);
  tally.isCounting = false;
  const elapsedMs = performance.now() - start;
  tally.isOver = true;
  await Promise.all(ended);
  const sorted = Float64Array.from(tally.times).sort();
  const quantile = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? NaN;
  const answered = (tally.times.length * 1000) / elapsedMs;
  return { perSecond: answered, p50Ms: quantile(0.5), p99Ms: quantile(0.99), errors: tally.errors };
}

interface Talk {
  readonly port: number;
  readonly next: () => Buffer;
  readonly everyMs: number;
}

/** One connection: a request, its answer, the next request at once or when it is due. */
function talk({ port, next, everyMs }: Talk, tally: Tally): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let due = performance.now() + Math.random() * everyMs;
    let sentAt = 0;
    const send = (since = performance.now()): void => {
      if (tally.isOver) {
        socket.end();
        return;
      }
      sentAt = since;
      socket.write(next());
    };
    const sendNext = (): void => {
      due += everyMs;
      const waitMs = due - performance.now();
      if (everyMs === 0) send();
      else if (waitMs > 0) setTimeout(send, waitMs);
      // What is late because the answer before it was late counts from when it was due.
      else send(due);
    };
    readAnswers(socket, (isSuccess) => {
      if (!isSuccess) tally.errors += 1;
      if (tally.isCounting) tally.times.push(performance.now() - sentAt);
      sendNext();
    });
    socket.on('connect', () => {
      send();
    });
    socket.on('error', () => (tally.errors += 1));
    socket.on('close', () => {
      // A server that closes a connection in the middle has failed its request.
      if (!tally.isOver) tally.errors += 1;
      resolve();
    });
  });
}

/** Calls for each whole answer: its head says how long it is, or that it comes in chunks. */
function readAnswers(socket: Socket, onAnswer: (isSuccess: boolean) => void): void {
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
      if (!isChunked) onAnswer(isSuccess);
      return;
    }
    left -= body.length;
    if (left === 0) onAnswer(isSuccess);
  });
}
