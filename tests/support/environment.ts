import { secret } from './tokens.ts';

/** The settings of test servers: a free port, the tests' secret, silent logs. */
export const testEnvironment = {
  PORT: '0',
  JWT_SECRET: secret,
  LOG_LEVEL: 'silent',
  SHUTDOWN_DELAY: '50ms',
  // Long, because tests hold locks, which takes long on a busy machine. Tests of this limit set their own.
  DATABASE_STATEMENT_TIMEOUT: '60s',
  // Small, because many servers share the connections of one Postgres.
  DATABASE_POOL_SIZE: '12',
};
