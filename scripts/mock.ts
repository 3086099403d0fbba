/**
 * Serves the examples of the contract, for work on a user interface: `npm run mock -- --port 4110 --host 0.0.0.0`.
 * mock.md of the SDK lists the states and errors.
 */
import { parseArgs } from 'node:util';
import type { AddressInfo } from 'node:net';
import { FairLimit } from '../server/src/limits/fair-limit.ts';
import { RenderPool } from '../server/src/viz/render-pool.ts';
import { drawMock } from './mock/picture.ts';
import { createMockServer } from './mock/server.ts';

const { port, host } = options();
const waiting = new FairLimit(50, 'CHART_WORKERS');
const renderPool = new RenderPool({ workers: 1, waiting, onExit: console.error, onMissing: () => undefined });
const server = await createMockServer({ document: drawMock(), services: { renderPool } });
server.once('error', (error) => {
  console.error(`The mock cannot listen on ${host}:${port}: ${error.message}. Choose another --port.`);
  process.exit(1);
});
server.listen(Number(port), host, () => {
  // A server that listens on a host and port has an AddressInfo.
  const { address, port: taken } = server.address() as AddressInfo;
  console.log(
    `The mock is ready at http://${address}:${taken}. It accepts any token; sdk/mock.md lists what to send.`,
  );
});

function options(): { port: string; host: string } {
  try {
    const { values } = parseArgs({ options: { port: { type: 'string' }, host: { type: 'string' } } });
    const { port = '4010', host = '127.0.0.1' } = values;
    if (/^\d{1,5}$/.test(port)) return { port, host };
    throw new Error(`--port must be a number, but it is "${port}".`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    console.error('Usage: npm run mock -- [--port NUMBER] [--host ADDRESS]');
    process.exit(1);
  }
}
