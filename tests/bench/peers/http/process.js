/** Shared by all peers: reads the database settings, sends the port to the parent, exits with the parent. */
export const databaseUrl = process.env.DATABASE_URL;
export const poolSize = Number(process.env.DATABASE_POOL_SIZE);

export const jwtSecret = process.env.JWT_SECRET;

/** Options of `pg.Pool`. */
export const poolOptions = { connectionString: databaseUrl, max: poolSize };

export function announce(port) {
  process.send?.(port);
  process.on('disconnect', () => process.exit());
}

/** Listens on a free local port; `app` is any object with the `listen` of node:http. */
export function listen(app) {
  const server = app.listen(0, '127.0.0.1', () => announce(server.address().port));
}
