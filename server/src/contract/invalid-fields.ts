import type { ErrorObject } from 'ajv';
import type { InvalidField } from './problem.ts';
import { childPointer } from '../lib/json.ts';

/**
 * All invalid fields and parameters with their JSON pointers, without duplicates. `unknown` is the sentence for unknown
 * fields.
 */
export function invalidFields(errors: readonly ErrorObject[], unknown: string): InvalidField[] {
  const byPointer = Map.groupBy(errors, pointerOf);
  return [...byPointer].flatMap(([pointer, [first]]) =>
    first === undefined ? [] : [{ pointer, ...reasonFor(first, unknown) }],
  );
}

function pointerOf(error: ErrorObject): string {
  const place = error.instancePath.replace(/^\/requestBody/, '');
  const { missingProperty, additionalProperty } = error.params as Record<string, unknown>;
  const name = missingProperty ?? additionalProperty;
  return typeof name === 'string' ? childPointer(place, name) : place;
}

type Reason = Pick<InvalidField, 'code' | 'detail'>;

function reasonFor(error: ErrorObject, unknown: string): Reason {
  const { limit, allowedValues } = error.params as { limit?: number; allowedValues?: unknown[] };
  // Rewords messages of Ajv such as "must NOT have fewer than 1 items".
  const message = error.message?.replace('NOT', 'not').replace(/( 1 \w+)s$/, '$1') ?? 'is not allowed';
  switch (error.keyword) {
    case 'required':
      return { code: 'required', detail: 'is required' };
    case 'additionalProperties':
      return { code: 'unknown', detail: unknown };
    case 'type':
      return typeReason(error);
    case 'pattern':
    case 'format':
      return patternReason(error, message);
    case 'x-visible':
      return notBlank;
    case 'minLength':
      return limit === 1 ? notBlank : { code: 'too_small', detail: message };
    case 'maxLength':
      return { code: 'too_long', detail: message };
    case 'minItems':
      return { code: 'too_small', detail: message };
    case 'maxItems':
      return { code: 'too_many', detail: message };
    case 'minimum':
      return { code: 'too_small', detail: `must be at least ${limit ?? 0}` };
    case 'maximum':
      return { code: 'too_large', detail: `must be at most ${limit ?? 0}` };
    case 'enum':
      return { code: 'not_one_of', detail: `must be one of ${(allowedValues ?? []).join(', ')}` };
    default:
      return { code: 'invalid', detail: message };
  }
}

const notBlank: Reason = { code: 'not_blank', detail: 'must not be blank' };

/** A schema explains its pattern or format in `x-message`. */
function patternReason({ parentSchema }: ErrorObject, fallback: string): Reason {
  const message = (parentSchema as Record<string, unknown> | undefined)?.['x-message'];
  if (message === notBlank.detail) return notBlank;
  return { code: 'malformed', detail: typeof message === 'string' ? message : fallback };
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'a boolean',
  array: 'an array',
  object: 'an object',
};

function typeReason(error: ErrorObject): Reason {
  const types = [(error.params as { type: string | string[] }).type].flat();
  const isRepeated = error.instancePath.startsWith('/query/') && Array.isArray(error.data);
  if (isRepeated) return { code: 'repeated', detail: 'must be given only once' };
  const names = types.map((type) => typeNames[type] ?? type);
  return { code: 'wrong_type', detail: `must be ${names.join(' or ')}` };
}
