import { alternatives, type Schema } from './schema.ts';

/** Requests of old clients must stay valid, and responses must stay within what old clients expect. */
export type Side = 'request' | 'response';

interface Change {
  readonly side: Side;
  readonly before: Schema;
  readonly after: Schema;
  /** Where the message says the break is. */
  readonly at: string;
}

/** How messages describe what the receiver no longer accepts. */
const words = {
  request: {
    value: 'no longer accepts',
    limit: 'stricter than it was',
    missing: 'now required',
    others: 'refused',
  },
  response: {
    value: 'may now be',
    limit: 'looser than it was',
    missing: 'no longer always there',
    others: 'added',
  },
} as const;

/** One message for each change that breaks clients of the old schema. */
export function schemaBreaks({ side, before, after, ...change }: Change): string[] {
  const component = before['x-component'];
  const isOne = component !== undefined && component === after['x-component'];
  const at = isOne ? `${component} in a ${side}` : change.at;
  // Every value that may be sent must be valid for the receiver.
  const [sent, accepted] = side === 'request' ? [before, after] : [after, before];
  const choices = alternatives(accepted);
  const breaks = alternatives(sent).flatMap((value) => {
    const candidates = choices.filter(({ type }) => type === value.type || numberOf(value.type) === type);
    const related = candidates.filter((choice) => sharesValue(value, choice));
    const attempts = (related.length > 0 ? related : candidates).map((choice) =>
      valueBreaks({ side, sent: value, accepted: choice, at }),
    );
    const [least] = attempts.toSorted((a, b) => a.length - b.length);
    return least ?? [`${at}: ${words[side].value} ${String(value.type)}`];
  });
  // A client that omits a field depends on its default.
  const isSame = side === 'response' || JSON.stringify(before.default) === JSON.stringify(after.default);
  return [...new Set([...breaks, ...(isSame ? [] : [`${at}: the default has changed`])])];
}

function numberOf(type: unknown): unknown {
  return type === 'integer' ? 'number' : type;
}

/** Returns true if a property has the same value in both schemas, such as the name of an event. */
function sharesValue({ properties: sent = {} }: Schema, { properties: accepted = {} }: Schema): boolean {
  return Object.entries(sent).some(([name, schema]) => {
    const values = valuesOf(accepted[name] ?? {}) ?? [];
    return valuesOf(schema)?.some((value) => values.includes(value)) ?? false;
  });
}

/** One of the alternatives that may be sent, and the alternative that must accept it. */
interface Pair {
  readonly side: Side;
  readonly sent: Schema;
  readonly accepted: Schema;
  readonly at: string;
}

function valueBreaks(pair: Pair): string[] {
  return [...enumBreaks(pair), ...keywordBreaks(pair), ...propertyBreaks(pair), ...itemBreaks(pair)];
}

function enumBreaks({ side, sent, accepted, at }: Pair): string[] {
  const values = valuesOf(accepted);
  if (values === undefined) return [];
  const excess = valuesOf(sent)?.filter((value) => !values.includes(value)) ?? ['any value'];
  return excess.map((value) => `${at}: ${words[side].value} ${value}`);
}

/** The values of enum or const that have the alternative's type, as JSON for comparison. */
function valuesOf({ const: constant, enum: values, type }: Schema): string[] | undefined {
  const listed = constant === undefined ? values : [constant];
  return listed
    ?.filter((value) => (value === null) === (type === 'null'))
    .map((value) => JSON.stringify(value));
}

/** Returns true if a keyword allows a value to be sent that the receiver does not accept. */
type IsExceeded = (sent: unknown, accepted: unknown) => boolean;

const least: IsExceeded = (sent, accepted) => limit(sent, -Infinity) < limit(accepted, -Infinity);
const most: IsExceeded = (sent, accepted) => limit(sent, Infinity) > limit(accepted, Infinity);
const exact: IsExceeded = (sent, accepted) => accepted !== undefined && accepted !== sent;

function limit(value: unknown, fallback: number): number {
  return typeof value === 'number' ? value : fallback;
}

/** For each type, the keywords that restrict its values. */
const keywords: Readonly<Record<string, Readonly<Record<string, IsExceeded>>>> = {
  string: {
    minLength: least,
    maxLength: most,
    pattern: exact,
    format: exact,
    contentEncoding: exact,
    contentMediaType: exact,
  },
  number: { minimum: least, exclusiveMinimum: least, maximum: most, exclusiveMaximum: most },
  array: { minItems: least, maxItems: most, uniqueItems: exact },
  object: { minProperties: least, maxProperties: most },
};

function keywordBreaks({ side, sent, accepted, at }: Pair): string[] {
  if (valuesOf(sent) !== undefined) return [];
  return Object.entries(keywords[String(numberOf(sent.type))] ?? {})
    .filter(([name, isExceeded]) => isExceeded(sent[name], accepted[name]))
    .map(([name]) => `${at}: ${name} is ${words[side].limit}`);
}

function propertyBreaks({ side, sent, accepted, at }: Pair): string[] {
  if (sent.type !== 'object') return [];
  const [{ properties: before = {} }, { properties: after = {} }] = inTime({ side, sent, accepted });
  const missing = (accepted.required ?? [])
    .filter((name) => sent.required?.includes(name) !== true)
    .filter((name) => !(name in before) || name in after);
  const isClosed = accepted.additionalProperties === false && sent.additionalProperties !== false;
  return [
    ...missing.map((name) => `${at}/${name}: the property is ${words[side].missing}`),
    ...(isClosed ? [`${at}: other properties are ${words[side].others}`] : []),
    ...entryBreaks(
      before,
      after,
      (name) => `${at}/${name}`,
      'the property is removed',
      (place, old, current) => schemaBreaks({ side, before: old, after: current, at: place }),
    ),
  ];
}

function itemBreaks({ side, sent, accepted, at }: Pair): string[] {
  if (sent.type !== 'array') return [];
  const [before, after] = inTime({ side, sent, accepted });
  return schemaBreaks({ side, before: before.items ?? {}, after: after.items ?? {}, at: `${at}/items` });
}

/** The old schema and the new one. */
function inTime({ side, sent, accepted }: Omit<Pair, 'at'>): readonly [Schema, Schema] {
  return side === 'request' ? [sent, accepted] : [accepted, sent];
}

/**
 * The breaks in named entries, such as properties: one for each removed entry, and the breaks in each of the others.
 */
export function entryBreaks<Entry>(
  before: Readonly<Record<string, Entry>> = {},
  after: Readonly<Record<string, Entry>> = {},
  placeOf: (name: string) => string,
  removal: string,
  compare: (place: string, before: Entry, after: Entry) => readonly string[],
): string[] {
  return Object.entries(before).flatMap(([name, entry]) => {
    const counterpart = after[name];
    if (counterpart === undefined) return [`${placeOf(name)}: ${removal}`];
    return compare(placeOf(name), entry, counterpart);
  });
}
