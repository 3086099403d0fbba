import { StartupError, type Environment } from './environment.ts';

const newNames: ReadonlyMap<string, string> = new Map([
  ['MAX_REQUESTS', 'MAX_CONCURRENT_REQUESTS'],
  ['MAX_UNREAD_BYTES', 'MAX_BUFFERED_RESPONSE_BYTES'],
  ['DRAIN_NOTICE_MS', 'SHUTDOWN_DELAY_MS'],
  ['DRAIN_MS', 'SHUTDOWN_TIMEOUT_MS'],
  ['DATABASE_STATEMENTS', 'DATABASE_PREPARED_STATEMENTS (true or false)'],
]);

/** Throws a StartupError for a variable that has a new name: the setting would otherwise silently have no effect. */
export function assertNoRenamedVariables(env: Environment): void {
  for (const name of Object.keys(env)) {
    const newName = newNames.get(name);
    if (newName !== undefined) throw new StartupError(`${name} was renamed. Set ${newName} instead.`);
  }
}
