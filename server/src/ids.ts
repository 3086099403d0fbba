import { v7, validate, version } from 'uuid';

/** A UUIDv7 (RFC 9562). The ids of a process sort by the time of their creation, also within a millisecond. */
export function newId(): string {
  return v7();
}

/** Whether a text can be the id of a row. A text that cannot be an id needs no query. */
export function isId(text: string): boolean {
  return validate(text) && version(text) === 7;
}
