import { describe, expect } from 'vitest';
import { operationOf } from '../../support/contract.ts';
import { operationIds, requests } from '../../support/requests.ts';
import { sharedServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';

interface Schema {
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

type Violation = readonly [what: string, value: unknown, pointer: string];

// An object that is valid as a task, a point, a series, a line and a decision, because unknown fields are ignored.
const entry = {
  title: 'x',
  id: 'x',
  label: '',
  value: 1,
  name: 'a',
  data: [],
  tool_call_id: 'x',
  approve: true,
};
const texts = ['another', ' ', ','.repeat(50)];

/** For each keyword of a schema, returns a value that the keyword does not allow. */
const breakers: Readonly<Record<string, (limit: unknown) => unknown>> = {
  type: (type) => ([type].flat().includes('object') ? [] : type === 'integer' ? 1.5 : {}),
  enum: () => 'another',
  pattern: (pattern) => texts.find((text) => !new RegExp(String(pattern), 'u').test(text)),
  'x-visible': () => '\u200b',
  minimum: (limit) => Number(limit) - 1,
  maximum: (limit) => Number(limit) + 1,
  minLength: () => '',
  maxLength: (limit) => 'a'.repeat(Number(limit) + 1),
  minItems: () => [],
  maxItems: (limit) => Array.from({ length: Number(limit) + 1 }, () => entry),
};

/** Values that a schema does not allow, each because of one keyword and with the pointer of the error. */
function violationsOf(schema: Schema): Violation[] {
  const { allOf = [], properties = {}, required = [], items } = schema;
  return [
    ...allOf.flatMap(violationsOf),
    ...Object.entries(breakers).flatMap(([keyword, broken]): Violation[] =>
      keyword in schema ? [[keyword, broken(Reflect.get(schema, keyword)), '']] : [],
    ),
    ...required.map((name): Violation => [`required ${name}`, {}, `/${name}`]),
    ...(items === undefined ? [] : violationsOf(items)).map(([what, value, at]): Violation => [
      what,
      [value],
      `/0${at}`,
    ]),
    ...Object.entries(properties).flatMap(([name, each]) =>
      violationsOf(each).map(([what, value, at]): Violation => {
        return [`${what} of ${name}`, { ...entry, [name]: value }, `/${name}${at}`];
      }),
    ),
  ];
}

const alice = await sharedServer().as('alice');

// The operations of charts have one schema and the same checks, so only SVG is tested.
const tested = operationIds.filter(
  (id) => operationOf(id).requestBody !== undefined && !/^(renderPng|renderPdf|linkChart)$/.test(id),
);

describe.each(tested)('%s', (operation) => {
  const { schema = {} } = operationOf(operation).requestBody?.content?.['application/json'] ?? {};
  for (const [what, body, pointer] of violationsOf(schema))
    spec(operation, 400, `refuses a body that breaks the rule ${what}, at "${pointer}"`, async () => {
      const { body: problem } = await alice.fails(operation, 400, { ...requests[operation], body });

      expect(problem.errors?.map((each) => each.pointer)).toContain(pointer);
    });
});
