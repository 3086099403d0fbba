import { hash } from 'node:crypto';
import { isId } from './ids.ts';
import { isStorable } from './storable-text.ts';

/** The place of an entry in the order of its list: its values of the columns by which the list is ordered. */
export type Position = readonly (string | null)[];

/** The types of the values of a position. */
export type PositionTypes = readonly (keyof typeof isValue)[];

/** The list that a cursor is valid for: whose it is, and which entries it has in which order. */
export interface CursorScope {
  readonly path: string;
  readonly userId: string;
  readonly filters: object;
}

/**
 * A text that stands for a position in one list. The checksum detects damage and use with another list. It is not a
 * signature: a cursor grants no access, because the list itself is scoped by its user.
 */
export function encodeCursor(position: Position, { path, userId, filters }: CursorScope): string {
  const sorted = Object.entries(filters).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const checksum = hash('sha256', JSON.stringify([path, userId, sorted, position]), 'base64url').slice(0, 16);
  return Buffer.from(JSON.stringify([checksum, ...position])).toString('base64url');
}

/** The position that a cursor stands for; undefined for a text that is not a cursor of this list. */
export function decodeCursor(cursor: string, scope: CursorScope, types: PositionTypes): Position | undefined {
  const position = positionFrom(cursor);
  const isValid =
    encodeCursor(position, scope) === cursor &&
    types.length === position.length &&
    types.every((type, i) => isValue[type](position[i] ?? null));
  return isValid ? position : undefined;
}

// The checksum can be computed by anyone, so a value must be one that Postgres can convert to the type of its column.
const isValue = {
  timestamp: isTimestamp,
  'timestamp or null': (value: string | null) => value === null || isTimestamp(value),
  id: (value: string | null) => value !== null && isId(value),
  uuid: (value: string | null) => value !== null && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value),
  integer: (value: string | null) => isBigint(value) && Number(value) < 2 ** 31,
  bigint: isBigint,
  text: (value: string | null) => value !== null && isStorable(value),
};

function isBigint(value: string | null): boolean {
  return value !== null && /^\d{1,18}$/.test(value);
}

function isTimestamp(value: string | null): boolean {
  if (value === null || !/^(?!0000)\d{4}-/.test(value)) return false;
  const date = new Date(value);
  return !Number.isNaN(date.getTime()) && date.toISOString() === value;
}

/** The values in a cursor; empty if there are none. */
function positionFrom(cursor: string): Position {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (!Array.isArray(values)) return [];
    const position: readonly unknown[] = values.slice(1);
    return position.filter((value) => value === null || typeof value === 'string');
  } catch {
    return [];
  }
}
