import { connect } from 'node:net';
import { tokenFor } from '../support/tokens.ts';

/** A POST whose body is sent in two parts. */
interface SlowRequest {
  /** Sends the rest and resolves to the response, or to the error of the connection. */
  finish(): Promise<string>;
}

export async function startCreateTask(url: string, user: string, title: string): Promise<SlowRequest> {
  const { hostname, port } = new URL(url);
  const body = JSON.stringify({ title });
  const head = [
    'POST /api/tasks HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${await tokenFor(user)}`,
    `Content-Length: ${body.length}`,
    'Content-Type: application/json',
  ];
  let response = '';
  const socket = connect(Number(port), hostname);
  const closed = new Promise<string>((resolve) => {
    socket.on('data', (chunk) => (response += chunk.toString()));
    socket.on('error', (error) => {
      resolve(error.message);
    });
    socket.on('close', () => {
      resolve(response);
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
