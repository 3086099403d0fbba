import { newAgent } from '../../../server/src/agents/agent.ts';
import { insertAgent } from '../../../server/src/agents/agent-store.ts';
import { leaseRun, type LeasedRun } from '../../../server/src/agents/runs/lease.ts';
import { insertRun, newRun } from '../../../server/src/agents/runs/run-store.ts';
import { openSession } from '../../../server/src/agents/sessions/session-store.ts';
import { openDatabase } from '../../../server/src/db/database.ts';
import type { Db } from '../../../server/src/db/tables.ts';
import { timestamp } from '../../../server/src/db/timestamps.ts';
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
  const database = await openDatabase(config);
  const { db } = database;
  const session = { id: 'stored', userId: 'alice' };
  const agent = {
    ...newAgent({ name: 'Planner', skills: [], approvals: [] }, 'builtin'),
    id: newId(),
    created_at: timestamp(),
  };
  await insertAgent({ ...agent, user_id: session.userId })(db);
  await openSession(db, session, agent.id);
  return {
    db,
    url: created.env['DATABASE_URL'] ?? '',
    session,
    add: async () => {
      const run = newRun({ session, agent, runtime: agent.runtime, model: null });
      await insertRun(db, run, { userId: session.userId, context: {} });
      return run.id;
    },
    lease: () => leaseRun(db, session),
    close: async () => {
      await database.close();
    },
  };
}
