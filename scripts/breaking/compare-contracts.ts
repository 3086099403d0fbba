import { schemaBreaks, type Side } from './compare-schemas.ts';
import { resolved, type MediaTypes, type Operation, type Parameter, type Response } from './contract.ts';

/**
 * One message for each way in which the new contract breaks clients of the old one: requests may only widen, responses
 * may only narrow.
 */
export function contractBreaks(before: unknown, after: unknown): string[] {
  const [old, current] = [resolved(before), resolved(after)];
  const breaks = Object.entries(old).flatMap(([name, operation]) => {
    const counterpart = current[name];
    return counterpart === undefined
      ? [`${name}: the operation is removed`]
      : operationBreaks(name, operation, counterpart);
  });
  return [...new Set(breaks)];
}

function operationBreaks(at: string, before: Operation, after: Operation): string[] {
  return [
    ...(before.operationId === after.operationId ? [] : [`${at}: operationId has changed`]),
    ...securityBreaks(at, before, after),
    ...parameterBreaks(at, before, after),
    ...bodyBreaks(at, before, after),
    ...Object.keys(after.responses)
      .filter((status) => before.responses[status] === undefined)
      .map((status) => `${at} ${status}: the status is new`),
    ...Object.entries(before.responses).flatMap(([status, response]) =>
      responseBreaks(`${at} ${status}`, response, after.responses[status]),
    ),
  ];
}

/** Every security requirement that was sufficient must remain sufficient. */
function securityBreaks(at: string, before: Operation, after: Operation): string[] {
  const remaining = after.security.map((requirement) => JSON.stringify(requirement));
  const removed = before.security.filter((requirement) => !remaining.includes(JSON.stringify(requirement)));
  const isClosed = before.security.length === 0 && after.security.length > 0;
  return isClosed || (removed.length > 0 && after.security.length > 0)
    ? [`${at}: the security has changed`]
    : [];
}

function parameterBreaks(at: string, before: Operation, after: Operation): string[] {
  const key = ({ in: place, name }: Parameter): string => `${place} parameter "${name}"`;
  const old = new Map(before.parameters.map((parameter) => [key(parameter), parameter]));
  const current = new Map(after.parameters.map((parameter) => [key(parameter), parameter]));
  const newlyRequired = after.parameters.filter(
    (parameter) => parameter.required === true && old.get(key(parameter))?.required !== true,
  );
  return [
    ...newlyRequired.map((parameter) => `${at} ${key(parameter)}: is now required`),
    ...[...old].flatMap(([name, parameter]) => {
      const counterpart = current.get(name);
      if (counterpart === undefined) return [`${at} ${name}: is removed`];
      const isSameStyle = parameter.style === counterpart.style && parameter.explode === counterpart.explode;
      return [
        ...(isSameStyle ? [] : [`${at} ${name}: the serialization has changed`]),
        ...schemaBreaks({
          side: 'request',
          before: parameter.schema,
          after: counterpart.schema,
          at: `${at} ${name}`,
        }),
      ];
    }),
  ];
}

function bodyBreaks(at: string, before: Operation, after: Operation): string[] {
  const isNewlyRequired = after.requestBody?.required === true && before.requestBody?.required !== true;
  return [
    ...(isNewlyRequired ? [`${at}: a body is now required`] : []),
    ...contentBreaks('request', `${at} request`, before.requestBody?.content, after.requestBody?.content),
  ];
}

function responseBreaks(at: string, before: Response, after: Response | undefined): string[] {
  if (after === undefined) return / 2\d\d$/.test(at) ? [`${at}: the status is removed`] : [];
  return [
    ...headerBreaks(at, before, after),
    ...contentBreaks('response', at, before.content, after.content),
  ];
}

function headerBreaks(
  at: string,
  { headers: before = {} }: Response,
  { headers: after = {} }: Response,
): string[] {
  return Object.entries(before).flatMap(([name, header]) => {
    const counterpart = after[name];
    const place = `${at} header ${name}`;
    if (counterpart === undefined) return [`${place}: is removed`];
    const isNowOptional = header.required === true && counterpart.required !== true;
    return [
      ...(isNowOptional ? [`${place}: is no longer always there`] : []),
      ...schemaBreaks({ side: 'response', before: header.schema, after: counterpart.schema, at: place }),
    ];
  });
}

/** Only removed media types break clients: an added one is sent only to clients that accept it. */
function contentBreaks(side: Side, at: string, before: MediaTypes = {}, after: MediaTypes = {}): string[] {
  return Object.entries(before).flatMap(([mediaType, { schema }]) => {
    const counterpart = after[mediaType]?.schema;
    const place = `${at} ${mediaType}`;
    if (counterpart === undefined) return [`${place}: the media type is removed`];
    const [event, newEvent] = [schema['x-event'], counterpart['x-event']];
    const pairs = event === undefined ? [] : [{ before: event, after: newEvent ?? {}, at: `${place} event` }];
    return [{ before: schema, after: counterpart, at: place }, ...pairs].flatMap((pair) =>
      schemaBreaks({ side, ...pair }),
    );
  });
}
