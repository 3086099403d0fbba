import { connect } from 'node:net';
import { tokenFor } from '../support/tokens.ts';

/** A POST whose body arrives in two parts. */
export interface SlowRequest {
  /** Sends the rest and resolves to the answer, or to what broke the connection. */
  finish(): Promise<string>;
}

export async function beginTask(url: string, user: string, title: string): Promise<SlowRequest> {
  const { hostname, port } = new URL(url);
  const body = JSON.stringify({ title });
  const head = [
    'POST /api/tasks HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${await tokenFor(user)}`,
    `Content-Length: ${body.length}`,
    'Content-Type: application/json',
  ];
  let answer = '';
  const socket = connect(Number(port), hostname);
  const closed = new Promise<string>((resolve) => {
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.on('error', (error) => {
      resolve(error.message);
    });
    socket.on('close', () => {
      resolve(answer);
    });
  });
  await new Promise<void>((resolve) => {
    socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 5)}`, () => {
      resolve();
    });
  });
  return {
    finish: () => {
      socket.write(body.slice(5));
      return closed;
    },
  };
}
