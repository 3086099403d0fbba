import type { Readiness } from '../db/readiness.ts';
import type { Metrics } from '../ops/metrics.ts';
import { shareFor } from '../lib/share-for.ts';
import { answerGetOnly, type Pages } from './page.ts';
import type { RequestState } from './request/request-state.ts';

/** Scrapes within this time get the same body. */
const metricsMs = 100;

interface ProbeResponse {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/**
 * Routes for operators: `/healthz` (the process lives), `/readyz` (it accepts requests) and `/metrics` (Prometheus).
 */
export function probes(checkReadiness: () => Promise<Readiness>, { registry }: Metrics): Pages {
  // Collecting blocks the event loop for milliseconds.
  const collect = shareFor(metricsMs, () => registry.metrics());
  const answers: Readonly<Record<string, () => Promise<ProbeResponse>>> = {
    '/healthz': () => Promise.resolve(plain(200, 'alive')),
    '/readyz': async () => {
      const { isReady, sentence } = await checkReadiness();
      return plain(isReady ? 200 : 503, sentence);
    },
    '/metrics': async () => ({ status: 200, type: registry.contentType, body: await collect() }),
  };
  return Object.fromEntries(Object.entries(answers).map(([path, answer]) => [path, pageOf(answer)]));
}

function pageOf(answer: () => Promise<ProbeResponse>): Pages[string] {
  return async (ctx) => {
    (ctx.state as RequestState).isProbe = true;
    ctx.set('Cache-Control', 'no-store');
    await answerGetOnly(ctx, async () => {
      const { status, type, body } = await answer();
      ctx.status = status;
      ctx.body = body;
      ctx.set('Content-Type', type);
    });
  };
}

function plain(status: number, sentence: string): ProbeResponse {
  return { status, type: 'text/plain; charset=utf-8', body: `${sentence}\n` };
}
