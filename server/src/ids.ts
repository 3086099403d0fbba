import { hash, randomFillSync } from 'node:crypto';
import { v7, validate, version } from 'uuid';

/**
 * A UUIDv7 (RFC 9562) whose last ten bits are not random but taken from the hash of its owner. If the tables are ever
 * distributed by owner, an id alone names the shard of its row.
 */
export function newId(userId: string): string {
  const id = v7({ random: randomBytes(), ...nextTimestamp() });
  const low = (Number.parseInt(id.slice(-4), 16) & 0xfc00) | shardOfUser(userId);
  return id.slice(0, -4) + low.toString(16).padStart(4, '0');
}

/** The time in milliseconds, and a counter within a millisecond, so that ids sort by the time of their creation. */
function nextTimestamp(): { msecs: number; seq: number } {
  const now = Date.now();
  if (now > latest.msecs) {
    // The counter starts at a random number and has room to count up: RFC 9562, section 6.2, method 1.
    latest = { msecs: now, seq: randomBytes().readUInt32BE() >>> 1 };
  } else latest = { msecs: latest.msecs, seq: latest.seq + 1 };
  return latest;
}

let latest = { msecs: 0, seq: 0 };

/** The next 16 random bytes. One system call gets many of them, because it costs more than the rest of an id. */
function randomBytes(): Buffer {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  used += 16;
  return random.subarray(used - 16, used);
}

const random = Buffer.alloc(16 * 128);
let used = random.length;

/** The shard, 0 to 1023, that an id belongs to. */
export function shardOfId(id: string): number {
  return Number.parseInt(id.slice(-3), 16) & 0x3ff;
}

/** The shard, 0 to 1023, of everything that a user owns: the last ten bits of the SHA-256 of the user id. */
export function shardOfUser(userId: string): number {
  return hash('sha256', userId, 'buffer').readUInt16BE(30) & 0x3ff;
}

/** Whether a text can be the id of a row. A text that cannot be an id needs no query. */
export function isId(text: string): boolean {
  return validate(text) && version(text) === 7;
}
