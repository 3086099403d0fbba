import { isUtf8 } from 'node:buffer';
import { parse } from 'node:querystring';
import { Problem } from './problem.ts';
import { queryParameters, type ContractOperation, type Schema } from './schema.ts';

/**
 * Parses the query string by the types of the contract: integers, booleans, and lists for repeatable parameters. Values
 * of another type stay text, so that validation reports them. Names that begin with `_` are ignored.
 */
export function parseQuery(queryString: string, operation: ContractOperation): Record<string, unknown> {
  // No prototype, so that a parameter may be called `__proto__`.
  const query = Object.create(null) as Record<string, unknown>;
  if (queryString === '') return query;
  const parameters = queryParameters(operation);
  if (!isUtf8Query(queryString))
    throw new Problem('Bad Request', 'The query is not UTF-8. Percent-encode its text as UTF-8.');
  for (const [name, value = ''] of Object.entries(parse(queryString, '&', '=', { maxKeys: 0 }))) {
    if (!name.startsWith('_'))
      query[name] = typed(value, parameters.find((each) => each.name === name)?.schema);
  }
  return query;
}

/** Checks the escapes, because `parse` would replace invalid bytes. `checkHead` has refused bytes without an escape. */
function isUtf8Query(queryString: string): boolean {
  if (!/%[89a-f]/i.test(queryString)) return true;
  const bytes = queryString.replaceAll(/%([\da-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return isUtf8(Buffer.from(bytes, 'latin1'));
}

/** `value` is a list if the parameter is repeated. */
function typed(value: string | readonly string[], schema: Schema = {}): unknown {
  if (schema.type === 'array') return [value].flat();
  if (typeof value !== 'string') return value;
  if (schema.type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return schema.type === 'integer' && /^-?\d+$/.test(value) ? Number(value) : value;
}
