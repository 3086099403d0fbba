import type { Metrics } from '../ops/metrics.ts';
import { shareFor } from '../lib/share-for.ts';
import { answerOnly, reading, type Pages } from './routes.ts';
import type { RequestState } from './request/request-state.ts';

/** Scrapes within this time get the same body. */
const metricsMs = 100;

/**
 * Routes for operators: `/healthz` (the process lives), `/readyz` (it accepts requests) and `/metrics` (Prometheus).
 */
export function probes(checkReadiness: () => Promise<Error | undefined>, { registry }: Metrics): Pages {
  // Collecting blocks the event loop for milliseconds.
  const collect = shareFor(metricsMs, () => registry.metrics());
  return {
    '/healthz': pageOf(() => Promise.resolve({ body: 'alive\n' })),
    '/readyz': pageOf(async () => {
      const reason = await checkReadiness();
      return reason === undefined ? { body: 'ready\n' } : { status: 503, body: `${reason.message}\n` };
    }),
    '/metrics': pageOf(async () => ({ type: registry.contentType, body: await collect() })),
  };
}

function pageOf(answer: () => Promise<{ status?: number; type?: string; body: string }>): Pages[string] {
  return async (ctx) => {
    (ctx.state as RequestState).isProbe = true;
    ctx.set('Cache-Control', 'no-store');
    await answerOnly(reading, ctx, async () => {
      const { status = 200, type = 'text/plain; charset=utf-8', body } = await answer();
      ctx.status = status;
      ctx.body = body;
      ctx.set('Content-Type', type);
    });
  };
}
