import { hash } from 'node:crypto';
import { v7, validate, version } from 'uuid';

/**
 * A UUIDv7 (RFC 9562) whose last ten bits, random otherwise, are those of its owner's hash. So an id alone names the
 * shard of its row, should the tables ever be distributed by owner.
 */
export function newId(userId: string): string {
  const id = v7();
  const low = (Number.parseInt(id.slice(-4), 16) & 0xfc00) | shardOfUser(userId);
  return id.slice(0, -4) + low.toString(16).padStart(4, '0');
}

/** The shard, 0 to 1023, that an id belongs to. */
export function shardOfId(id: string): number {
  return Number.parseInt(id.slice(-3), 16) & 0x3ff;
}

/** The shard, 0 to 1023, of everything that a user owns: the last ten bits of the SHA-256 of the user id. */
export function shardOfUser(userId: string): number {
  return hash('sha256', userId, 'buffer').readUInt16BE(30) & 0x3ff;
}

/** Whether a text can be the id of a row at all; one that cannot is unknown without asking the database. */
export function isId(text: string): boolean {
  return validate(text) && version(text) === 7;
}
