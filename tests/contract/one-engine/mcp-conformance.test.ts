import { spawn } from 'node:child_process';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFolder } from '../../support/folder.ts';
import { freePort } from '../../support/free-port.ts';
import { startHttpServer } from '../../support/http-server.ts';
import { revisions } from '../../support/mcp.ts';
import { endOf } from '../../support/server-process.ts';
import { startTestServer } from '../../support/server.ts';
import { tokenFor } from '../../support/tokens.ts';

const support = join(import.meta.dirname, '../../support');
const suite = join(support, '../../node_modules/.bin/conformance');

const port = String(await freePort());
const token = await tokenFor('alice');
// The suite sends no token, so a proxy adds one.
const { url } = await startHttpServer((incoming, outgoing) => {
  const { method, url: path, headers } = incoming;
  const authorized = { ...headers, host: `127.0.0.1:${port}`, authorization: `Bearer ${token}` };
  const passed = request({ port, path, method, headers: authorized }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(outgoing);
  });
  incoming.pipe(passed);
});
// The suite expects that pages from the address of the server, here of the proxy, are allowed.
await startTestServer({ env: { PORT: port, CORS_ORIGINS: url } });

// The suite fails if a check in the baseline passes, or if any other check fails.
it.each(revisions)(
  'the conformance suite of the protocol passes what the revision %s requires of a server that has only tools',
  async (revision) => {
    const baseline = join(support, `conformance/${revision}.yaml`);
    const options = `--url ${url}/mcp --requirements ${revision} --expected-failures`.split(' ');
    // The suite writes its results into the working directory.
    const cwd = await createFolder();
    const child = spawn(process.execPath, [suite, 'server', ...options, baseline], { cwd });

    const { code, output } = await endOf(child);

    expect(code, output).toBe(0);
  },
);
