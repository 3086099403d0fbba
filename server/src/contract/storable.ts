import { fieldErrorsMax, validationError } from '../errors.ts';
import { unstorableTexts } from '../storable-text.ts';

/** Throws for text that Postgres cannot store, wherever it is in a JSON value. */
export function assertStorable(value: unknown): void {
  const pointers = unstorableTexts(value, fieldErrorsMax);
  if (pointers.length === 0) return;
  const detail = 'must not contain NUL characters or lone surrogates';
  throw validationError(
    pointers.map((pointer) => ({ pointer, code: 'unsupported_character', detail }) as const),
  );
}
