/**
 * Serves the examples of the contract for work on a user interface: `npm run mock -- --port 4110 --host 0.0.0.0`.
 * mock.md of the SDK lists what there is to see.
 */
import { parseArgs } from 'node:util';
import { readFile, writeFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { mockDocument, type Contract } from './mock/document.ts';
import { namedExamples } from './mock/examples.ts';
import { noPicture } from './mock/pictures.ts';
import { findExampleByPrism } from './mock/prism.ts';
import { createMockServer } from './mock/server.ts';

const { port, host } = options();
const named = namedExamples(noPicture).flatMap(({ name, headers }) =>
  headers === undefined ? [] : [[name, headers] as const],
);
const server = createMockServer(findExampleByPrism(await mockOperations(), new Map(named)));
server.once('error', (error) => {
  console.error(`The mock cannot listen on ${host}:${port}: ${error.message}. Choose another --port.`);
  process.exit(1);
});
server.listen(Number(port), host, () => {
  // The address of a server that listens on a host and port is an AddressInfo.
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
    process.exit(1);
  }
}

/** The operations of the contract, as Prism reads them from a file. */
async function mockOperations(): ReturnType<typeof getHttpOperationsFromSpec> {
  const folder = await mkdtemp(join(tmpdir(), 'worktable-mock-'));
  const file = join(folder, 'mock.json');
  const contract = JSON.parse(await readFile('server/src/generated/openapi.json', 'utf8')) as Contract;
  await writeFile(file, JSON.stringify(mockDocument(contract)));
  const operations = await getHttpOperationsFromSpec(file);
  await rm(folder, { recursive: true });
  return operations;
}
