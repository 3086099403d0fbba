import type { Middleware } from 'koa';
import type { Readiness } from '../db/readiness.ts';
import type { Metrics } from '../ops/metrics.ts';
import { shareFor } from '../lib/share-for.ts';
import { answerGetOnly } from './get-only.ts';
import type { RequestState } from './request/request-state.ts';

/** Scrapes within this time get the same body. */
const metricsMs = 100;

interface ProbeOptions {
  readonly checkReadiness: () => Promise<Readiness>;
  readonly metrics: Metrics;
}

interface ProbeResponse {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/**
 * Routes for operators: `/healthz` (the process lives), `/readyz` (it accepts requests) and `/metrics` (Prometheus).
 */
export function probes({ checkReadiness, metrics }: ProbeOptions): Middleware<RequestState> {
  // Collecting blocks the event loop for milliseconds.
  const collect = shareFor(metricsMs, () => metrics.registry.metrics());
  const answers: Readonly<Record<string, () => Promise<ProbeResponse>>> = {
    '/healthz': () => Promise.resolve(plain(200, 'alive')),
    '/readyz': async () => {
      const { isReady, sentence } = await checkReadiness();
      return plain(isReady ? 200 : 503, sentence);
    },
    '/metrics': async () => ({ status: 200, type: metrics.registry.contentType, body: await collect() }),
  };
  return async (ctx, next) => {
    const answer = Object.hasOwn(answers, ctx.path) ? answers[ctx.path] : undefined;
    if (answer === undefined) {
      await next();
      return;
    }
    ctx.state.isProbe = true;
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
