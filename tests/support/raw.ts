import { connect, type Socket } from 'node:net';

/** Sends text over a socket. Resolves to everything that the server sends until it closes the socket. */
export function sendRaw(url: string, text: string): Promise<string> {
  return answerOf(url, (socket) => socket.write(text));
}

/** Sends text over a socket and closes this side of it. Resolves to everything that the server then sends. */
export function sendAndHalfClose(url: string, text: string): Promise<string> {
  return answerOf(url, (socket) => socket.end(text));
}

function answerOf(url: string, send: (socket: Socket) => void): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true }, () => {
      send(socket);
    });
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('end', () => socket.end());
    socket.on('close', () => {
      resolve(Buffer.concat(chunks).toString());
    });
  });
}

/** A response as it came over the socket. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** Sends text over a socket. Resolves to the response. */
export async function responseTo(url: string, text: string): Promise<RawResponse> {
  const answer = await sendRaw(url, text);
  const [head = '', ...bodies] = answer.split('\r\n\r\n');
  const [line = '', ...fields] = head.split('\r\n');
  return {
    status: Number(line.split(' ')[1]),
    headers: new Headers(fields.map((field) => [field.replace(/:.*/, ''), field.replace(/^[^:]*: /, '')])),
    body: bodies.join('\r\n\r\n'),
  };
}

/** Sends a request with these header lines after Host. Resolves to the response. */
export function request(url: string, line: string, ...headers: readonly string[]): Promise<RawResponse> {
  const lines = [`${line} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers, '', ''];
  return responseTo(url, lines.join('\r\n'));
}

const unfinishedBody = '\r\nContent-Length: 100\r\n\r\n{';

/** Sends a request whose body never ends. Resolves to everything that the server sends until it closes the socket. */
export function answerToUnfinished(url: string, head: string): Promise<string> {
  return sendRaw(url, `${head}${unfinishedBody}`);
}

/** Starts a request whose body never ends. */
export function sendUnfinished(url: string, head: string): Promise<Socket> {
  return sendUnread(url, `${head}${unfinishedBody}`);
}

/** Sends text and reads nothing. Resolves when the server has closed the connection. */
export async function untilCutOff(url: string, text: string): Promise<void> {
  const socket = await sendUnread(url, text);
  // Writes, because a socket that does not read notices only by writing that it was closed.
  const writing = setInterval(() => socket.write('\r\n'), 100);
  await new Promise((resolve) => socket.once('close', resolve));
  clearInterval(writing);
}

/** Sends text and reads nothing. Resolves to a function that closes the connection. */
export async function sendAndLeaveUnread(url: string, text: string): Promise<() => void> {
  const socket = await sendUnread(url, text);
  return () => {
    socket.destroy();
  };
}

function sendUnread(url: string, text: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname).pause();
    socket.on('error', reject);
    socket.write(text, () => {
      resolve(socket);
    });
  });
}
