import { startOurs, startPeer, type Environment, type RunningServer } from './servers.ts';

export interface Contender {
  readonly name: string;
  /** False for the baseline, which does not authenticate, validate, log or store keys. */
  readonly hasDuties: boolean;
  readonly start: (env: Environment) => Promise<RunningServer>;
}

export const ours: Contender = { name: 'worktable', hasDuties: true, start: startOurs };
export const baseline: Contender = {
  name: 'baseline: node:http and pg',
  hasDuties: false,
  start: (env) => startPeer('baseline', env),
};

export const fastify: Contender = {
  name: 'Fastify',
  hasDuties: true,
  start: (env) => startPeer('fastify', env),
};

/** The libraries of our server as their documentation uses them, without our code. */
export const koa: Contender = {
  name: 'Koa with openapi-backend',
  hasDuties: true,
  start: (env) => startPeer('koa', env),
};

export const contenders: readonly Contender[] = [ours, baseline, fastify, koa];
