/**
 * Serves the contract with Prism, for work on a user interface: `npm run mock -- --port 4110 --host 0.0.0.0`.
 * mock.md of the SDK lists the states and errors.
 */
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { AddressInfo } from 'node:net';
import { FairLimit } from '../server/src/limits/fair-limit.ts';
import { RenderPool } from '../server/src/viz/render-pool.ts';
import { createMockServer } from './mock/server.ts';

const { values } = parseArgs({
  options: { port: { type: 'string', default: '4010' }, host: { type: 'string', default: '127.0.0.1' } },
});
const { port, host } = values;
const waiting = new FairLimit(50, 'chart_queue_length');
const renderPool = new RenderPool({ workers: 1, waiting, onExit: console.error, onMissing: () => undefined });
const server = await createMockServer({ renderPool, linkKey: randomUUID(), publicUrl: undefined });
server.once('error', (error) => {
  console.error(`The mock cannot listen on ${host}:${port}: ${error.message}. Choose another --port.`);
  process.exit(1);
});
server.listen(Number(port), host, () => {
  // The cast holds because a server that listens on a host and port has an AddressInfo.
  const { address, port: taken } = server.address() as AddressInfo;
  console.log(
    `The mock is ready at http://${address}:${taken}. It accepts any token; sdk/mock.md lists what to send.`,
  );
});
