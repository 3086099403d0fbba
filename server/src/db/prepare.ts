import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CompiledQuery,
  type Compilable,
} from 'kysely';
import { pipelineOf } from './postgres/pipeline.ts';
import type { Db, Tables } from './tables.ts';

/**
 * A query that is built and compiled once and then only given its values, as building one anew costs more than sending
 * it. Each name stands for a value that the query uses as it is. One that is quick and waits for no lock may go
 * through the pipeline, where there is one.
 */
export function prepare<Name extends string, Row extends object>(
  names: readonly Name[],
  build: (db: Db, values: Readonly<Record<Name, string>>) => Compilable<Row>,
  { isPipelined = false }: { readonly isPipelined?: boolean } = {},
): (db: Db, values: Readonly<Record<Name, unknown>>) => Promise<Row[]> {
  const places = new Map(names.map((name) => [placeOf(name), name]));
  let compiled: CompiledQuery<Row> | undefined;
  return async (db, values) => {
    // Only now, so that to import a store costs nothing.
    compiled ??= build(compiler, placeholders(names)).compile();
    const parameters = compiled.parameters.map((parameter) => {
      const name = typeof parameter === 'string' ? places.get(parameter) : undefined;
      return name === undefined ? parameter : values[name];
    });
    const pipeline = isPipelined ? pipelineOf(db) : undefined;
    if (pipeline !== undefined) return pipeline.query<Row>(compiled.sql, parameters);
    const query: CompiledQuery<Row> = { ...compiled, parameters };
    const { rows } = await db.executeQuery(query);
    return rows;
  };
}

function placeholders<Name extends string>(names: readonly Name[]): Readonly<Record<Name, string>> {
  // Each of the names is a key.
  return Object.fromEntries(names.map((name) => [name, placeOf(name)])) as Record<Name, string>;
}

/** No text of a query has a NUL, which Postgres does not store. */
function placeOf(name: string): string {
  return `\0${name}`;
}

/** Kysely without a database. */
export const compiler: Db = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});
