import type { ClientBase } from 'pg';

/** A connection is replaced after this time, because its address may lead to another server by now. */
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
 * Finds the connections to replace. A read-only connection stays read-only when the database can be written again,
 * because its session keeps the setting with which it began. After a failover, the connection may lead to a server that
 * is now a standby.
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
