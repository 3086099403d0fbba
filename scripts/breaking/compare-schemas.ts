import { alternatives, type Schema } from './schema.ts';

/** Which way values travel: a request must go on being understood, a response must go on being what it was. */
export type Side = 'request' | 'response';

/** The old and the new schema of the same values. */
interface Change {
  readonly side: Side;
  readonly before: Schema;
  readonly after: Schema;
  /** Where, for the reader. */
  readonly at: string;
}

/** Every way in which a new schema breaks who relies on the old one, as sentences. */
export function schemaBreaks({ side, before, after, ...change }: Change): string[] {
  const component = before['x-component'];
  const isOne = component !== undefined && component === after['x-component'];
  const at = isOne ? `${component} in a ${side}` : change.at;
  // What may be sent must stay within what is understood.
  const [sent, understood] = side === 'request' ? [before, after] : [after, before];
  const choices = alternatives(understood);
  const breaks = alternatives(sent).flatMap((value) => {
    const candidates = choices.filter((choice) => fits(value, choice));
    const attempts = candidates.map((choice) => valueBreaks({ side, sent: value, understood: choice, at }));
    if (attempts.length === 0) return [`${at}: ${gained(side)} ${String(value.type)}`];
    return attempts.toSorted((a, b) => a.length - b.length)[0] ?? [];
  });
  return [...new Set([...breaks, ...defaultBreaks({ side, before, after, at })])];
}

function fits({ type }: Schema, { type: choice }: Schema): boolean {
  return type === choice || (type === 'integer' && choice === 'number');
}

/** One alternative of what is sent, and the one that shall understand it. */
interface Pair {
  readonly side: Side;
  readonly sent: Schema;
  readonly understood: Schema;
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

function enumBreaks({ side, sent, understood, at }: Pair): string[] {
  const values = valuesOf(understood);
  if (values === undefined) return [];
  const sentValues = valuesOf(sent);
  if (sentValues === undefined) return [`${at}: ${gained(side)} any value`];
  const gone = sentValues.filter((value) => !values.includes(value));
  return gone.map((value) => `${at}: ${gained(side)} ${value}`);
}

/** As JSON, by which they are compared. Only those of the alternative's own type. */
function valuesOf({ const: constant, enum: values, type }: Schema): string[] | undefined {
  const listed = constant === undefined ? values : [constant];
  return listed
    ?.filter((value) => (value === null) === (type === 'null'))
    .map((value) => JSON.stringify(value));
}

const lowerLimits = ['minLength', 'minimum', 'exclusiveMinimum', 'minItems', 'minProperties'];
const upperLimits = ['maxLength', 'maximum', 'exclusiveMaximum', 'maxItems', 'maxProperties'];

function limitBreaks({ side, sent, understood, at }: Pair): string[] {
  if (valuesOf(sent) !== undefined) return [];
  const lower = lowerLimits.filter(
    (name) => limit(sent[name], -Infinity) < limit(understood[name], -Infinity),
  );
  const upper = upperLimits.filter((name) => limit(sent[name], Infinity) > limit(understood[name], Infinity));
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

function textBreaks({ side, sent, understood, at }: Pair): string[] {
  if (sent.type !== 'string' || valuesOf(sent) !== undefined) return [];
  return ['pattern', 'format', 'contentEncoding', 'contentMediaType']
    .filter((name) => understood[name] !== undefined && sent[name] !== understood[name])
    .map((name) => `${at}: ${name} is ${side === 'request' ? 'stricter' : 'looser'} than it was`);
}

function propertyBreaks({ side, sent, understood, at }: Pair): string[] {
  if (sent.type !== 'object') return [];
  const [before, after] = side === 'request' ? [sent, understood] : [understood, sent];
  const removed = Object.keys(before.properties ?? {}).filter(
    (name) => after.properties?.[name] === undefined,
  );
  const missing = (understood.required ?? []).filter((name) => !(sent.required ?? []).includes(name));
  const isClosed = understood.additionalProperties === false && sent.additionalProperties !== false;
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

function itemBreaks({ side, sent, understood, at }: Pair): string[] {
  if (sent.type !== 'array') return [];
  const [before, after] = side === 'request' ? [sent, understood] : [understood, sent];
  return [
    ...(understood['uniqueItems'] === true && sent['uniqueItems'] !== true
      ? [`${at}: uniqueItems has changed`]
      : []),
    ...schemaBreaks({ side, before: before.items ?? {}, after: after.items ?? {}, at: `${at}/items` }),
  ];
}

/** Who leaves a field out means its default. */
function defaultBreaks({ side, before, after, at }: Change): string[] {
  const isSame = JSON.stringify(before.default) === JSON.stringify(after.default);
  return side === 'response' || isSame ? [] : [`${at}: the default has changed`];
}

function gained(side: Side): string {
  return side === 'request' ? 'no longer accepts' : 'may now be';
}
