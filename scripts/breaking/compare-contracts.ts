import { entryBreaks, schemaBreaks, type Side } from './compare-schemas.ts';
import { resolved, type MediaTypes, type Operation, type Parameter, type Response } from './contract.ts';

/**
 * One message for each change that breaks clients of the old contract. Requests may only widen, and responses may only
 * narrow.
 */
export function contractBreaks(before: unknown, after: unknown): string[] {
  const [old, current] = [resolved(before), resolved(after)];
  return [...new Set(entryBreaks(old, current, (name) => name, 'the operation is removed', operationBreaks))];
}

/** What the new contract adds: everything that a client of the new contract would miss in the old one. */
export function contractAdditions(before: unknown, after: unknown): string[] {
  return contractBreaks(after, before)
    .filter((message) => /: .*is removed$|: no longer accepts /.test(message))
    .map((message) => message.replace(/is removed$/, 'is new').replace('no longer accepts', 'now accepts'));
}

function operationBreaks(at: string, before: Operation, after: Operation): string[] {
  const { requestBody: body, responses } = before;
  const isNewlyRequired = after.requestBody?.required === true && body?.required !== true;
  const [parameters, current] = [byName(before), byName(after)];
  const newlyRequired = Object.entries(current).filter(
    ([name, { required }]) => required === true && parameters[name]?.required !== true,
  );
  const newStatuses = Object.keys(after.responses).filter((status) => responses[status] === undefined);
  return [
    ...(before.operationId === after.operationId ? [] : [`${at}: operationId has changed`]),
    ...securityBreaks(at, before, after),
    ...newlyRequired.map(([name]) => `${at} ${name}: is now required`),
    ...entryBreaks(parameters, current, (name) => `${at} ${name}`, 'is removed', parameterBreaks),
    ...(isNewlyRequired ? [`${at}: a body is now required`] : []),
    ...contentBreaks('request', `${at} request`, body?.content, after.requestBody?.content),
    ...newStatuses.map((status) => `${at} ${status}: the status is new`),
    ...entryBreaks(
      responses,
      after.responses,
      (status) => `${at} ${status}`,
      'the status is removed',
      responseBreaks,
    ).filter((message) => !/ [3-5]\d\d: the status is removed$/.test(message)),
  ];
}

/** A security requirement that was sufficient must still be sufficient. */
function securityBreaks(
  at: string,
  { security: before }: Operation,
  { security: after }: Operation,
): string[] {
  const remaining = after.map((requirement) => JSON.stringify(requirement));
  const isKept = before.every((requirement) => remaining.includes(JSON.stringify(requirement)));
  const isOpen = after.length === 0 || (before.length > 0 && isKept);
  return isOpen ? [] : [`${at}: the security has changed`];
}

/** The parameters by location and name, such as `query parameter "limit"`. */
function byName({ parameters }: Operation): Readonly<Record<string, Parameter>> {
  return Object.fromEntries(parameters.map((each) => [`${each.in} parameter "${each.name}"`, each]));
}

function parameterBreaks(at: string, before: Parameter, after: Parameter): string[] {
  const isSameStyle = before.style === after.style && before.explode === after.explode;
  return [
    ...(isSameStyle ? [] : [`${at}: the serialization has changed`]),
    ...schemaBreaks({ side: 'request', before: before.schema, after: after.schema, at }),
  ];
}

function responseBreaks(at: string, before: Response, after: Response): string[] {
  const headers = entryBreaks(
    before.headers,
    after.headers,
    (name) => `${at} header ${name}`,
    'is removed',
    (place, header, counterpart) => [
      ...(header.required === true && counterpart.required !== true
        ? [`${place}: is no longer always there`]
        : []),
      ...schemaBreaks({ side: 'response', before: header.schema, after: counterpart.schema, at: place }),
    ],
  );
  return [...headers, ...contentBreaks('response', at, before.content, after.content)];
}

/** Only removed media types break clients: added ones are sent only to clients that accept them. */
function contentBreaks(side: Side, at: string, before?: MediaTypes, after?: MediaTypes): string[] {
  return entryBreaks(
    before,
    after,
    (mediaType) => `${at} ${mediaType}`,
    'the media type is removed',
    (place, { schema }, { schema: current }) => {
      const { 'x-event': event } = schema;
      const ofEvent = { side, before: event ?? {}, after: current['x-event'] ?? {}, at: `${place} event` };
      return [
        ...schemaBreaks({ side, before: schema, after: current, at: place }),
        ...(event === undefined ? [] : schemaBreaks(ofEvent)),
      ];
    },
  );
}
