/** The log of the peers that write one: to a file, in blocks, as our server does. */
import { pino } from 'pino';

export function openLog() {
  return pino(pino.destination({ dest: process.env.LOG_FILE, sync: false, minLength: 16_000 }));
}
