import { resolved, type MediaTypes, type Operation } from './contract.ts';
import { alternatives, type Schema } from './schema.ts';

/** The additions of the new contract, each as a sentence that begins with its place. */
export function contractAdditions(before: unknown, after: unknown): string[] {
  const [old, current] = [resolved(before), resolved(after)];
  const additions = Object.entries(current).flatMap(([name, operation]) => {
    const counterpart = old[name];
    if (counterpart === undefined) return [`${name}: the operation is new`];
    const known = new Set(featuresOf(name, counterpart));
    return featuresOf(name, operation).filter((feature) => !known.has(feature));
  });
  return [...new Set(additions)];
}

/** Everything that an operation offers, in sentences. */
function featuresOf(at: string, operation: Operation): string[] {
  const { parameters, requestBody, responses } = operation;
  return [
    ...parameters.flatMap((parameter) => {
      const place = `${at} ${parameter.in} parameter "${parameter.name}"`;
      return [`${place}: is new`, ...schemaFeatures(place, parameter.schema)];
    }),
    ...contentFeatures(`${at} request`, requestBody?.content, 'request'),
    ...Object.entries(responses).flatMap(([status, { headers = {}, content }]) => [
      `${at} ${status}: the status is new`,
      ...Object.keys(headers).map((header) => `${at} ${status} header ${header}: is new`),
      ...contentFeatures(`${at} ${status}`, content, 'response'),
    ]),
  ];
}

function contentFeatures(at: string, content: MediaTypes = {}, side: string): string[] {
  return Object.entries(content).flatMap(([mediaType, { schema }]) => {
    const place = `${at} ${mediaType}`;
    const events =
      schema['x-event'] === undefined ? [] : schemaFeatures(`${place} event`, schema['x-event'], side);
    return [`${place}: the media type is new`, ...schemaFeatures(place, schema, side), ...events];
  });
}

/** The properties and the listed values of a schema, at any depth, named after their component. */
function schemaFeatures(at: string, schema: Schema, side?: string): string[] {
  const component = schema['x-component'];
  const place = component === undefined || side === undefined ? at : `${component} in a ${side}`;
  return alternatives(schema).flatMap(({ const: constant, enum: values = [], items, properties = {} }) => [
    ...[...values, ...(constant === undefined ? [] : [constant])].map(
      (value) => `${place}: the value ${JSON.stringify(value)} is new`,
    ),
    ...Object.entries(properties).flatMap(([name, property]) => [
      `${place}/${name}: the property is new`,
      ...schemaFeatures(`${place}/${name}`, property, side),
    ]),
    ...(items === undefined ? [] : schemaFeatures(place, items, side)),
  ]);
}
