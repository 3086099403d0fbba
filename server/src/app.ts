import Koa from 'koa';
import type { Logger } from 'pino';
import type { VerifyToken } from './auth/tokens.ts';
import { finishers, handlers, type Services } from './handlers.ts';
import { accessLog } from './http/access-log.ts';
import type { Contract } from './http/contract.ts';
import { cors } from './http/cors.ts';
import { createDispatch } from './http/dispatch.ts';
import { failures } from './http/failures.ts';
import type { Admit } from './http/rate-limit.ts';
import { referencePage } from './http/reference-page.ts';
import { createSlots } from './http/slots.ts';
import type { RequestState } from './http/state.ts';

interface AppParts {
  readonly contract: Contract;
  readonly services: Services;
  readonly admit: Admit;
  readonly verify: VerifyToken;
  readonly logger: Logger;
  readonly requestsMax: number;
  readonly corsOrigins: readonly string[];
}

/** The Koa stack, in the order a request goes through it. */
export function createApp({ logger, requestsMax, corsOrigins, ...parts }: AppParts): Koa<RequestState> {
  const app = new Koa<RequestState>();
  // A connection that breaks while its answer is written: nobody is left to tell, so it is only logged.
  app.on('error', (error: Error) => {
    logger.warn({ err: error }, 'the answer could not be written');
  });
  app.use(accessLog(logger));
  if (corsOrigins.length > 0) app.use(cors(corsOrigins));
  app.use(failures());
  app.use(referencePage());
  const slots = createSlots(requestsMax);
  app.use(createDispatch({ ...parts, handlers, finishers, slots }));
  return app;
}
