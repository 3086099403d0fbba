import type { ErrorObject } from 'ajv';
import { validationError, type Problem } from '../../errors.ts';
import type { FieldError } from '../../operation.ts';

/** A problem with every invalid field and parameter, each once, with its JSON pointer and a sentence. */
export function problemFromValidation(
  errors: readonly ErrorObject[],
  queryNames: readonly string[],
): Problem {
  const byPointer = new Map<string, FieldError>();
  for (const error of errors) {
    const pointer = pointerOf(error);
    if (!byPointer.has(pointer)) byPointer.set(pointer, { pointer, detail: detailOf(error, queryNames) });
  }
  return validationError([...byPointer.values()]);
}

function pointerOf(error: ErrorObject): string {
  const place = error.instancePath.replace(/^\/requestBody/, '');
  const { missingProperty, additionalProperty } = error.params as Record<string, unknown>;
  const name = missingProperty ?? additionalProperty;
  return typeof name === 'string' ? `${place}/${escapePointer(name)}` : place;
}

/** RFC 6901, section 3. */
function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function detailOf(error: ErrorObject, queryNames: readonly string[]): string {
  const says = (error.parentSchema as Record<string, unknown> | undefined)?.['x-message'];
  if (['pattern', 'format'].includes(error.keyword) && typeof says === 'string') return says;
  switch (error.keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
      return queryNames.length === 0
        ? 'is not known; this operation has no query parameters'
        : `is not known; the query parameters are ${queryNames.join(', ')}`;
    case 'enum':
      return `must be one of ${(error.params as { allowedValues: unknown[] }).allowedValues.join(', ')}`;
    case 'type':
      return typeSentence(error);
    default:
      return (error.message ?? 'is not allowed').replace('NOT', 'not');
  }
}

function typeSentence(error: ErrorObject): string {
  const types = [(error.params as { type: string | string[] }).type].flat();
  const isRepeated = error.instancePath.startsWith('/query/') && Array.isArray(error.data);
  return isRepeated ? 'must be given only once' : `must be ${types.join(' or ')}`;
}
