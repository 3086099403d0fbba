/** What every peer's process does beside its work: read where the database is, tell its port, end with its parent. */
export const databaseUrl = process.env.DATABASE_URL;
export const poolSize = Number(process.env.DATABASE_POOL_SIZE);

/** Triggers that keep something of our server's beside the tasks do not fire for peers, who keep nothing. */
export const sessionOptions = '-c session_replication_role=replica';

/** For a pool of `pg`. */
export const poolOptions = { connectionString: databaseUrl, max: poolSize, options: sessionOptions };

export function announce(port) {
  process.send?.(port);
  process.on('disconnect', () => process.exit());
}

/** Listens on any free port of this machine, for whatever has a `listen` like that of node:http. */
export function listen(app) {
  const server = app.listen(0, '127.0.0.1', () => announce(server.address().port));
}
