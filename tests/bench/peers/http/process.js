/** For all peers: listens on a free local port, sends the port to the parent, and exits with the parent. */
import { pino } from 'pino';

export const jwtSecret = process.env.JWT_SECRET;

/** `app` is any object with the `listen` of node:http. */
export function listen(app) {
  const server = app.listen(0, '127.0.0.1', () => announce(server.address().port));
}

export function announce(port) {
  process.send?.(port);
  process.on('disconnect', () => process.exit());
}

/** The log of the peers that write one. Like our server's, it goes to a file in blocks. */
export function openLog() {
  return pino(pino.destination({ dest: process.env.LOG_FILE, sync: false, minLength: 16_000 }));
}
