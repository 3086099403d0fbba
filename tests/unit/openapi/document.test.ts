import { describe, expect, it } from 'vitest';
import document from '../../../server/src/generated/openapi.json' with { type: 'json' };
import { agentTools } from '../../../server/src/tools/catalogue.ts';
import { ajv } from '../../support/contract-ajv.ts';
import { allOperations, brokenExamples, examplesOf, resolveReferences } from '../../support/contract.ts';

const text = JSON.stringify(document);
const resolved = resolveReferences(document);

describe('the contract', () => {
  it('has an absolute address, and no value that an importer would send with each request', () => {
    const headers = allOperations.flatMap(({ parameters = [] }) => parameters) as { name: string }[];

    expect(document.servers.map(({ url }) => url)).toEqual(['http://127.0.0.1:3000']);
    const once = headers.filter(({ name }) => /^(Idempotency-Key|If-Match|If-None-Match)$/.test(name));
    expect(once.length).toBeGreaterThan(5);
    expect(once.filter((header) => 'example' in header)).toEqual([]);
  });

  it('refers to each of its components, and to nothing else', () => {
    const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference = '']) => reference);
    const { securitySchemes: _schemes, ...components } = document.components;
    const names = Object.entries(components).flatMap(([kind, each]) =>
      Object.keys(each).map((name) => `#/components/${kind}/${name}`),
    );

    expect([...new Set(references)].toSorted()).toEqual(names.toSorted());
  });

  it('has property names that are identifiers in every language', () => {
    const names = valuesOf(resolved, 'properties').flatMap((properties) =>
      Object.keys(Object(properties) as object),
    );

    expect(names.filter((name) => !/^[A-Za-z0-9_]+$/.test(name))).toEqual([]);
  });

  it('has patterns that every language understands', () => {
    const patterns = valuesOf(resolved, 'pattern').filter((pattern) => typeof pattern === 'string');

    expect(patterns.length).toBeGreaterThan(3);
    // RE2 or Python lack Unicode properties, look-around, back-references and Unicode escapes.
    expect(patterns.filter((pattern) => /\\p\{|\(\?[=!<]|\\[1-9]|\\u/.test(pattern))).toEqual([]);
  });

  it('names and describes tools in its examples as the server does', () => {
    const calls = text.matchAll(/\\*"name\\*":\\*"([a-z_]+)\\*",\\*"(?:arguments|description)\\*":/g);
    const listed = text.matchAll(/"name":"([a-z_]+)","description":"([^"]+)","parameters"/g);
    const ofServer = (examples: Iterable<string[]>): string[][] =>
      [...examples].filter(([, name = '']) => !name.includes('__'));
    const names = agentTools.map(({ name }) => name);
    const made = ofServer(calls);

    expect(made.length).toBeGreaterThan(5);
    expect(made.filter(([, name = '']) => !names.includes(name))).toEqual([]);
    expect(ofServer(listed).length).toBeGreaterThan(1);
    for (const [, name, description] of ofServer(listed))
      expect(agentTools).toContainEqual(expect.objectContaining({ name, description }));
  });
});

describe.each(allOperations)('$operationId', (operation) => {
  it('documents 400, 500 and 503, 401 if it needs a token, and X-Request-Id in every response', () => {
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['400', '500', '503']));
    expect('401' in operation.responses).toBe(!('security' in operation));
    for (const response of Object.values(operation.responses)) {
      expect(Object.keys(response.headers ?? {})).toContain('X-Request-Id');
    }
  });

  it('has valid examples of each body, and of each event of a stream', () => {
    const bodies = [operation.requestBody, ...Object.values(operation.responses)].flatMap((each) =>
      Object.values(each?.content ?? {}),
    );

    expect(bodies.length).toBeGreaterThan(0);
    for (const content of bodies) expect(examplesOf(content).length).toBeGreaterThan(0);
    expect(brokenExamples(operation)).toEqual([]);
  });
});

it('every schema compiles in the strict mode of Ajv for JSON Schema 2020-12, and allows its default', () => {
  const all = [
    ...valuesOf(resolved, 'schema'),
    ...Object.values(document.components.schemas).map(resolveReferences),
    ...valuesOf(resolved, 'properties')
      .flatMap((each): unknown[] => Object.values(Object(each) as object))
      .filter((schema) => 'default' in Object(schema)),
  ];
  // Most schemas are used in many places.
  const schemas = new Map(
    all.map((schema) => [JSON.stringify(schema), Object(schema) as { default?: unknown }]),
  );
  for (const [text, schema] of schemas) {
    const validate = ajv.compile(schema);
    if (schema.default !== undefined) expect(validate(schema.default), text).toBe(true);
  }
});

/** All values of a key, at any depth. */
function valuesOf(value: unknown, key: string): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]: [string, unknown]) => [
    ...(name === key ? [each] : []),
    ...valuesOf(each, key),
  ]);
}
