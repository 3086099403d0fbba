import { startOurs, startPeer, type RunningServer, type Surroundings } from './servers.ts';

export interface Contender {
  readonly name: string;
  readonly role: 'ours' | 'floor' | 'peer';
  /** Path and query of the first hundred tasks, where it is not that of the contract. */
  readonly listPath?: string;
  readonly start: (surroundings: Surroundings) => Promise<RunningServer>;
}

export const ours: Contender = { name: 'worktable', role: 'ours', start: startOurs };
export const floor: Contender = peer('floor: node:http and pg', 'floor', 'floor');

export const contenders: readonly Contender[] = [
  ours,
  floor,
  peer('Fastify and pg', 'peer', 'fastify'),
  peer('Fastify and pg, named statements', 'peer', 'fastify', 'named'),
  peer('Express, openapi-validator, pg', 'peer', 'express'),
  peer('our packages as usual', 'peer', 'koa-usual'),
  {
    ...peer('Feathers and Knex', 'peer', 'feathers'),
    listPath: '/api/tasks?%24limit=100&%24sort%5Bcreated_at%5D=-1&%24sort%5Bid%5D=-1',
  },
  peer('NestJS and TypeORM', 'peer', 'nest'),
];

function peer(name: string, role: Contender['role'], file: string, ...args: string[]): Contender {
  return { name, role, start: (surroundings) => startPeer(file, args, surroundings) };
}
