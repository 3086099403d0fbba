import { startOurs, startPeer, type Environment, type RunningServer } from './servers.ts';

export interface Contender {
  readonly name: string;
  readonly role: 'ours' | 'baseline' | 'peer' | 'peer with our duties';
  /** True if this contender gets no idempotency keys where the others get them. */
  readonly sendsNoKeys?: boolean;
  readonly start: (env: Environment) => Promise<RunningServer>;
}

export const ours: Contender = { name: 'worktable', role: 'ours', start: startOurs };
export const baseline: Contender = peer('baseline: node:http and pg', 'baseline', 'baseline');

/** Our server without keys, which shows what a key costs next to the keyed requests of the others. */
export const oursWithoutKeys: Contender = { ...ours, name: 'worktable, without keys', sendsNoKeys: true };

export const contenders: readonly Contender[] = [
  ours,
  baseline,
  peer('NestJS and TypeORM', 'peer', 'nest'),
  peer('Fastify with our duties', 'peer with our duties', 'fastify-duties'),
  peer('Express with our duties', 'peer with our duties', 'express-duties'),
];

function peer(name: string, role: Contender['role'], file: string): Contender {
  return { name, role, start: (env) => startPeer(file, [], env) };
}
