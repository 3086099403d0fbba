import { startOurs, startPeer, type Environment, type RunningServer } from './servers.ts';

export interface Contender {
  readonly name: string;
  readonly start: (env: Environment) => Promise<RunningServer>;
}

export const ours: Contender = { name: 'worktable', start: startOurs };

/** The libraries of our server as their documentation uses them, without our code. */
const koa: Contender = { name: 'Koa with openapi-backend', start: (env) => startPeer('koa', env) };

const fastify: Contender = { name: 'Fastify', start: (env) => startPeer('fastify', env) };

export const contenders: readonly Contender[] = [ours, koa, fastify];
