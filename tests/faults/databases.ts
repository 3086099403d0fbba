import { copyTemplate, migratedTemplate, type Engine } from '../support/databases.ts';

/** A database for one scenario. It is dropped at the end. */
export interface TestDatabase extends AsyncDisposable {
  /** The environment of a server that uses the database. */
  readonly env: Readonly<Record<string, string>>;
  /** The connection URL; empty for PGlite. */
  readonly url: string;
}

export interface Databases extends AsyncDisposable {
  /** Creates a migrated database without tasks. On Citus, it is in the cluster of TEST_CITUS_URL. */
  create(engine: Engine): Promise<TestDatabase>;
}

/** Creates databases of each engine by copying a database that was migrated once. */
export function openDatabases(): Databases {
  const templates = new Map<Engine, ReturnType<typeof migratedTemplate>>();
  return {
    create: async (engine) => {
      const migrating = templates.get(engine) ?? migratedTemplate(engine);
      templates.set(engine, migrating);
      const template = await migrating;
      if (template === undefined) throw new Error(`No ${engine} is available.`);
      const { env, drop } = await copyTemplate(template);
      return { env, url: env['DATABASE_URL'] ?? '', [Symbol.asyncDispose]: drop };
    },
    [Symbol.asyncDispose]: async () => {
      for (const template of templates.values()) await (await template)?.stop();
    },
  };
}
