import { connect } from 'node:net';

/** Sends text as it is over a socket and resolves to all that comes back until the server closes it. */
export function sendRaw(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => {
      socket.write(text);
    });
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => {
      resolve(Buffer.concat(chunks).toString());
    });
  });
}

/** Starts a request that stays unfinished until `finish` is called. */
export function holdRequest(url: string, head: string): Promise<{ finish: () => void }> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(`${head}\r\nContent-Length: 100\r\n\r\n{`, () => {
        resolve({
          finish: () => {
            socket.destroy();
          },
        });
      });
    });
    socket.on('error', reject);
  });
}
