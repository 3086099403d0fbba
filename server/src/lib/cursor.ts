import { crc32 } from 'node:zlib';
import { isId } from './ids.ts';
import { isStorable } from './text.ts';

/** The position of an entry in a list: its values in the columns that order the list. */
export type Position = readonly (string | null)[];

/** The types of the values in a position. */
export type PositionTypes = readonly (TypeName | `${TypeName} or null`)[];
type TypeName = keyof typeof isValue;

/** The list that a cursor belongs to: path, user, filters and order. */
export interface CursorScope {
  readonly path: string;
  readonly userId: string;
  readonly filters: object;
}

/**
 * The cursor of a position in one list. Its checksum detects damage and use with another list. It is not a signature,
 * and need not be one: a cursor grants no access, because the list itself is limited to its user.
 */
export function encodeCursor(position: Position, { path, userId, filters }: CursorScope): string {
  const sorted = Object.entries(filters).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const checksum = crc32(JSON.stringify([path, userId, sorted, position])).toString(36);
  return Buffer.from(JSON.stringify([checksum, ...position])).toString('base64url');
}

/** The position of a cursor; undefined if the text is not a cursor of this list. */
export function decodeCursor(cursor: string, scope: CursorScope, types: PositionTypes): Position | undefined {
  const position = positionFrom(cursor);
  const isValid =
    encodeCursor(position, scope) === cursor &&
    types.length === position.length &&
    types.every((type, i) => isOfType(position[i] ?? null, type));
  return isValid ? position : undefined;
}

// Anyone can compute the checksum, so each value must be one that Postgres can convert to the column's type.
function isOfType(value: string | null, type: PositionTypes[number]): boolean {
  if (value === null) return type.endsWith(' or null');
  // The cast is safe, because a type without ` or null` at its end is a `TypeName`.
  return isValue[type.replace(/ or null$/, '') as TypeName](value);
}

const isValue = {
  timestamp: isTimestamp,
  id: isId,
  uuid: (value: string) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value),
  integer: (value: string) => isBigint(value) && Number(value) < 2 ** 31,
  bigint: isBigint,
  text: isStorable,
};

function isBigint(value: string): boolean {
  return /^\d{1,18}$/.test(value);
}

function isTimestamp(value: string): boolean {
  if (!/^(?!0000)\d{4}-/.test(value)) return false;
  const date = new Date(value);
  return !Number.isNaN(date.getTime()) && date.toISOString() === value;
}

/** The values in a cursor; empty if it is malformed. */
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
