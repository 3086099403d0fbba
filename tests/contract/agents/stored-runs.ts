import { insertAgent } from '../../../server/src/agents/agent-store.ts';
import { leaseRun, type LeasedRun } from '../../../server/src/agents/runs/lease.ts';
import { insertRun } from '../../../server/src/agents/runs/run-store.ts';
import { openSession } from '../../../server/src/agents/sessions/session-store.ts';
import { openDatabase } from '../../../server/src/db/database.ts';
import type { Db } from '../../../server/src/db/tables.ts';
import { newId } from '../../../server/src/ids.ts';
import { testConfig } from '../../support/config.ts';
import { createDatabase } from '../../support/server.ts';

export interface StoredRuns {
  readonly db: Db;
  /** The address of the Postgres database; empty for the embedded one. */
  readonly url: string;
  readonly session: { readonly id: string; readonly userId: string };
  /** Adds a queued run to the session and resolves to its id. */
  readonly add: () => Promise<string>;
  readonly lease: () => Promise<LeasedRun | undefined>;
  readonly close: () => Promise<void>;
}

/** Opens a database with a session, but without a server that executes its runs. */
export async function openStoredRuns(): Promise<StoredRuns> {
  const created = await createDatabase();
  const config = testConfig({ dataDir: created.env['DATA_DIR'] ?? '', env: created.env });
  const database = await openDatabase(config, () => undefined);
  const { db } = database;
  const session = { id: 'stored', userId: 'alice' };
  const fields = { name: 'Planner', runtime: 'builtin', skills: [], instructions: null };
  const { id: agentId } = await insertAgent(db, { id: newId('alice'), userId: 'alice' }, fields);
  await openSession(db, session, agentId);
  return {
    db,
    url: created.env['DATABASE_URL'] ?? '',
    session,
    add: async () => {
      const run = { id: newId('alice'), userId: 'alice', sessionId: session.id, agentId };
      return (await insertRun(db, { ...run, runtime: 'builtin', model: null, context: {} })).id;
    },
    lease: () => leaseRun(db, session),
    close: async () => {
      await database.close();
      await created.drop();
    },
  };
}
