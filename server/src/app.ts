import Koa from 'koa';
import type { Logger } from 'pino';
import type { VerifyToken } from './auth/tokens.ts';
import { finishers, gates, handlers, type Services } from './handlers.ts';
import { accessLog } from './http/access-log.ts';
import type { ByteBudget } from './http/byte-budget.ts';
import type { Contract } from './http/contract.ts';
import { cors } from './http/cors.ts';
import { createDispatch } from './http/dispatch.ts';
import { failures } from './http/failures.ts';
import { probes } from './http/probes.ts';
import type { Admit } from './http/rate-limit.ts';
import { referencePage } from './http/reference-page.ts';
import { securityHeaders } from './http/security-headers.ts';
import type { Slots } from './http/slots.ts';
import type { RequestState } from './http/state.ts';
import type { Unread } from './http/unread.ts';
import type { Metrics } from './metrics.ts';

interface AppParts {
  readonly contract: Contract;
  readonly services: Services;
  readonly admit: Admit;
  readonly verify: VerifyToken;
  readonly slots: Slots;
  readonly isFull: () => boolean;
  readonly receiving: ByteBudget;
  readonly unread: Unread;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly metricsToken: string | undefined;
  readonly unreadiness: () => Promise<string | undefined>;
  readonly corsOrigins: readonly string[];
}

/** The Koa stack, in the order a request goes through it. */
export function createApp({ logger, metrics, corsOrigins, ...parts }: AppParts): Koa<RequestState> {
  const app = new Koa<RequestState>();
  // A connection that breaks while its answer is written: nobody is left to tell, so it is only logged.
  app.on('error', (error: Error) => {
    logger.warn({ err: error }, 'the answer could not be written');
  });
  app.use(accessLog(logger, metrics));
  app.use(securityHeaders());
  if (corsOrigins.length > 0) app.use(cors(corsOrigins));
  app.use(failures());
  app.use(probes({ ...parts, metrics }));
  app.use(referencePage());
  app.use(createDispatch({ ...parts, handlers, finishers, gates }));
  return app;
}
