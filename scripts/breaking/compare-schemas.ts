import { alternatives, type Schema } from './schema.ts';

/** Requests of old clients must stay valid; responses must stay within what old clients expect. */
export type Side = 'request' | 'response';

interface Change {
  readonly side: Side;
  readonly before: Schema;
  readonly after: Schema;
  /** Location for the message. */
  readonly at: string;
}

/** One message for each way in which a new schema breaks clients of the old one. */
export function schemaBreaks({ side, before, after, ...change }: Change): string[] {
  const component = before['x-component'];
  const isOne = component !== undefined && component === after['x-component'];
  const at = isOne ? `${component} in a ${side}` : change.at;
  // Every value that may be sent must be valid for the receiver.
  const [sent, accepted] = side === 'request' ? [before, after] : [after, before];
  const choices = alternatives(accepted);
  const breaks = alternatives(sent).flatMap((value) => {
    const candidates = choices.filter((choice) => fits(value, choice));
    const related = candidates.filter((choice) => sharesValue(value, choice));
    const attempts = (related.length > 0 ? related : candidates).map((choice) =>
      valueBreaks({ side, sent: value, accepted: choice, at }),
    );
    if (attempts.length === 0) return [`${at}: ${gained(side)} ${String(value.type)}`];
    return attempts.toSorted((a, b) => a.length - b.length)[0] ?? [];
  });
  return [...new Set([...breaks, ...defaultBreaks({ side, before, after, at })])];
}

function fits({ type }: Schema, { type: choice }: Schema): boolean {
  return type === choice || (type === 'integer' && choice === 'number');
}

/** Returns true if a property has a value in both, such as the name of an event. */
function sharesValue({ properties: sent = {} }: Schema, { properties: accepted = {} }: Schema): boolean {
  return Object.entries(sent).some(([name, schema]) => {
    const values = valuesOf(accepted[name] ?? {}) ?? [];
    return valuesOf(schema)?.some((value) => values.includes(value)) ?? false;
  });
}

/** An alternative of the sent values, and the alternative that must accept it. */
interface Pair {
  readonly side: Side;
  readonly sent: Schema;
  readonly accepted: Schema;
  readonly at: string;
}

function valueBreaks(pair: Pair): string[] {
  return [
    ...enumBreaks(pair),
    ...limitBreaks(pair),
    ...textBreaks(pair),
    ...propertyBreaks(pair),
    ...itemBreaks(pair),
  ];
}

function enumBreaks({ side, sent, accepted, at }: Pair): string[] {
  const values = valuesOf(accepted);
  if (values === undefined) return [];
  const sentValues = valuesOf(sent);
  if (sentValues === undefined) return [`${at}: ${gained(side)} any value`];
  const unknown = sentValues.filter((value) => !values.includes(value));
  return unknown.map((value) => `${at}: ${gained(side)} ${value}`);
}

/** The enum or const of the alternative's type, as JSON for comparison. */
function valuesOf({ const: constant, enum: values, type }: Schema): string[] | undefined {
  const listed = constant === undefined ? values : [constant];
  return listed
    ?.filter((value) => (value === null) === (type === 'null'))
    .map((value) => JSON.stringify(value));
}

const lowerLimits = ['minLength', 'minimum', 'exclusiveMinimum', 'minItems', 'minProperties'];
const upperLimits = ['maxLength', 'maximum', 'exclusiveMaximum', 'maxItems', 'maxProperties'];

function limitBreaks({ side, sent, accepted, at }: Pair): string[] {
  if (valuesOf(sent) !== undefined) return [];
  const lower = lowerLimits.filter((name) => limit(sent[name], -Infinity) < limit(accepted[name], -Infinity));
  const upper = upperLimits.filter((name) => limit(sent[name], Infinity) > limit(accepted[name], Infinity));
  return [...lower, ...upper]
    .filter((name) => appliesTo(name, String(sent.type)))
    .map((name) => `${at}: ${name} is ${side === 'request' ? 'stricter' : 'looser'} than it was`);
}

function limit(value: unknown, fallback: number): number {
  return typeof value === 'number' ? value : fallback;
}

function appliesTo(name: string, type: string): boolean {
  if (name.endsWith('Length')) return type === 'string';
  if (name.endsWith('Items')) return type === 'array';
  if (name.endsWith('Properties')) return type === 'object';
  return type === 'number' || type === 'integer';
}

function textBreaks({ side, sent, accepted, at }: Pair): string[] {
  if (sent.type !== 'string' || valuesOf(sent) !== undefined) return [];
  return ['pattern', 'format', 'contentEncoding', 'contentMediaType']
    .filter((name) => accepted[name] !== undefined && sent[name] !== accepted[name])
    .map((name) => `${at}: ${name} is ${side === 'request' ? 'stricter' : 'looser'} than it was`);
}

function propertyBreaks({ side, sent, accepted, at }: Pair): string[] {
  if (sent.type !== 'object') return [];
  const [before, after] = side === 'request' ? [sent, accepted] : [accepted, sent];
  const removed = Object.keys(before.properties ?? {}).filter(
    (name) => after.properties?.[name] === undefined,
  );
  const missing = (accepted.required ?? []).filter((name) => !(sent.required ?? []).includes(name));
  const isClosed = accepted.additionalProperties === false && sent.additionalProperties !== false;
  return [
    ...removed.map((name) => `${at}/${name}: the property is removed`),
    ...missing
      .filter((name) => !removed.includes(name))
      .map(
        (name) =>
          `${at}/${name}: the property is ${side === 'request' ? 'now required' : 'no longer always there'}`,
      ),
    ...(isClosed
      ? [`${at}: ${side === 'request' ? 'other properties are refused' : 'other properties are added'}`]
      : []),
    ...Object.entries(before.properties ?? {}).flatMap(([name, old]) => {
      const current = after.properties?.[name];
      return current === undefined
        ? []
        : schemaBreaks({ side, before: old, after: current, at: `${at}/${name}` });
    }),
  ];
}

function itemBreaks({ side, sent, accepted, at }: Pair): string[] {
  if (sent.type !== 'array') return [];
  const [before, after] = side === 'request' ? [sent, accepted] : [accepted, sent];
  return [
    ...(accepted['uniqueItems'] === true && sent['uniqueItems'] !== true
      ? [`${at}: uniqueItems has changed`]
      : []),
    ...schemaBreaks({ side, before: before.items ?? {}, after: after.items ?? {}, at: `${at}/items` }),
  ];
}

/** A client that omits a field depends on its default. */
function defaultBreaks({ side, before, after, at }: Change): string[] {
  const isSame = JSON.stringify(before.default) === JSON.stringify(after.default);
  return side === 'response' || isSame ? [] : [`${at}: the default has changed`];
}

function gained(side: Side): string {
  return side === 'request' ? 'no longer accepts' : 'may now be';
}
