import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runConformance } from '../../support/conformance/run.ts';
import { freePort } from '../../support/free-port.ts';
import { startTestServer } from '../../support/server.ts';
import { startTokenProxy, type Proxy } from '../../support/token-proxy.ts';
import { tokenFor } from '../../support/tokens.ts';

const baseline = join(import.meta.dirname, '../../support/conformance/server.yaml');

/** The scenarios for a server that has only tools. */
const scenarios: readonly (readonly [revision: string, scenario: string])[] = [
  ['2026-07-28', 'server-stateless'],
  ['2026-07-28', 'tools-list'],
  ['2026-07-28', 'caching'],
  ['2026-07-28', 'dns-rebinding-protection'],
  ['2026-07-28', 'http-header-validation'],
  ['2026-07-28', 'server-sse-multiple-streams'],
  ['2025-11-25', 'server-initialize'],
  ['2025-11-25', 'ping'],
  ['2025-11-25', 'tools-list'],
  ['2025-11-25', 'dns-rebinding-protection'],
];

describe('the conformance suite of the protocol', () => {
  let proxy: Proxy;

  beforeAll(async () => {
    const port = String(await freePort());
    proxy = await startTokenProxy(`http://127.0.0.1:${port}`, await tokenFor('alice'));
    // The suite expects that a page from the server's own address is allowed.
    await startTestServer({ env: { PORT: port, CORS_ORIGINS: proxy.url } });
  });

  afterAll(() => {
    proxy.close();
  });

  it.each(scenarios)('%s: %s passes', async (revision, scenario) => {
    const options = ['--scenario', scenario, '--spec-version', revision];

    const { code, output } = await runConformance(proxy.url, options, baseline);

    expect(code, output).toBe(0);
    expect(output).toMatch(/Passed: [1-9]/);
  });
});
