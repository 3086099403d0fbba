import { createServer } from 'node:http';
import { join } from 'node:path';
import Koa from 'koa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FairLimit } from '../../../server/src/limits/fair-limit.ts';
import { FairQueue } from '../../../server/src/limits/fair-queue.ts';
import { LoopTime } from '../../../server/src/limits/loop-time.ts';
import { Admission } from '../../../server/src/http/admission.ts';
import { mcp } from '../../../server/src/http/mcp/mcp.ts';
import type { RequestState } from '../../../server/src/http/request/request-state.ts';
import { createLogger } from '../../../server/src/ops/log.ts';
import { createFixture } from '../../support/conformance/fixture.ts';
import { runConformance } from '../../support/conformance/run.ts';
import { freePort } from '../../support/free-port.ts';
import { startTokenProxy, type Proxy } from '../../support/token-proxy.ts';

const baseline = (revision: string): string =>
  join(import.meta.dirname, `../../support/conformance/${revision}.yaml`);

describe('the endpoint with the tools, prompts and resources of the conformance suite', () => {
  let proxy: Proxy;
  const server = createServer();

  beforeAll(async () => {
    const port = await freePort();
    proxy = await startTokenProxy(`http://127.0.0.1:${port}`, 'any-token');
    const limit = new FairLimit(2 ** 24, 'http_buffered_bytes');
    const app = new Koa<RequestState>();
    app.use((ctx, next) => {
      ctx.state.requestId = 'a-request';
      return next();
    });
    app.use(
      mcp({
        createServer: createFixture,
        verify: () => Promise.resolve({ id: 'alice', name: 'Alice' }),
        admission: new Admission({ places: limit, bytes: limit, eventStreams: limit }),
        queue: new FairQueue({ running: limit, loopTime: new LoopTime(), waitMs: 1000 }),
        origins: [proxy.url],
        resourceMetadataUrl: undefined,
        logger: createLogger('silent'),
      }),
    );
    const answer = app.callback();
    server.on('request', (request, response) => void answer(request, response));
    server.listen(port, '127.0.0.1');
  });

  afterAll(() => {
    proxy.close();
    server.close();
    server.closeAllConnections();
  });

  it.each(['2026-07-28', '2025-11-25'])(
    'passes what the revision %s requires',
    async (revision) => {
      const { code, output } = await runConformance(
        proxy.url,
        ['--requirements', revision],
        baseline(revision),
      );

      expect(code, output).toBe(0);
    },
    120_000,
  );
});
