import type { ClientBase } from 'pg';

/** How long a connection is used: its address may lead to another server by now. */
export const lifetimeSeconds = 600;

// While the database stays read-only, its connections are not opened again for each failed statement.
const pauseMs = 1000;

interface OutdatedConnections {
  readonly onOpen: (client: ClientBase) => void;
  /** Called when a connection was read-only. All open connections may be read-only too, so all become outdated. */
  readonly onReadOnly: () => void;
  readonly isOutdated: (client: ClientBase) => boolean;
}

/**
 * Finds the connections to replace. One that is read-only stays so when the database can be written again: a session keeps
 * the setting with which it began, and after a failover it may lead to the server that is now a standby.
 */
export function createOutdatedConnections(): OutdatedConnections {
  const openedMs = new WeakMap<ClientBase, number>();
  let readOnlyMs = -Infinity;
  return {
    onOpen: (client) => {
      openedMs.set(client, performance.now());
    },
    onReadOnly: () => {
      const nowMs = performance.now();
      if (nowMs - readOnlyMs >= pauseMs) readOnlyMs = nowMs;
    },
    isOutdated: (client) => {
      const opened = openedMs.get(client) ?? Infinity;
      return opened < readOnlyMs || performance.now() - opened > lifetimeSeconds * 1000;
    },
  };
}
