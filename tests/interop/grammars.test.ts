import { describe, expect, it } from 'vitest';
import { simpleSchema } from '../../server/src/tools/portable-schema.ts';
import { conversations } from './conversations.ts';
import { grammarOf, loadPeer } from './peers.ts';

/** Returns a function that throws if llama.cpp cannot read the grammar that it makes from a schema. */
async function grammarReader(): Promise<(schema: object) => void> {
  const { getLlama, LlamaGrammar } = await loadPeer('node-llama-cpp');
  const llama = await getLlama({ gpu: false, build: 'never', skipDownload: true, logLevel: 'error' });
  return (schema) => {
    new LlamaGrammar(llama, { grammar: grammarOf(schema) });
  };
}

/** Schemas from MCP servers that llama.cpp or others refuse without changes. */
const foreign: Readonly<Record<string, object>> = {
  'lengths and patterns': {
    type: 'object',
    properties: {
      path: { type: 'string', maxLength: 65_536, pattern: '^(?!.*\\.\\.).*$' },
      n: { type: 'integer', maximum: 2 ** 53, exclusiveMinimum: -(2 ** 53) },
    },
  },
  references: {
    type: 'object',
    $defs: {
      node: { type: 'object', properties: { children: { type: 'array', items: { $ref: '#/$defs/node' } } } },
    },
    properties: { root: { $ref: '#/$defs/node' }, other: { $ref: 'https://example.com/schema.json' } },
  },
  'several types, null and alternatives': {
    type: 'object',
    properties: {
      value: { type: ['string', 'number', 'null'] },
      filter: { oneOf: [{ type: 'string' }, { type: 'object' }, { type: 'null' }] },
      all: { allOf: [{ type: 'object', properties: { a: {} } }, { required: ['a'] }] },
      any: {},
    },
  },
  'no properties': { type: 'object' },
};

describe('the grammar that llama.cpp makes of the schema of a tool', () => {
  it('can be read by its parser, for each tool of this server', async () => {
    const read = await grammarReader();
    const [conversation] = await conversations({ skills: ['tasks', 'viz'] });
    const tools = conversation?.requests[0]?.tools ?? [];

    for (const { function: tool } of tools)
      expect(() => {
        read(tool.parameters);
      }, tool.name).not.toThrow();
    expect(tools.length).toBeGreaterThan(5);
  });

  it.each(Object.entries(foreign))(
    'can be read by its parser, for a schema with %s',
    async (_name, schema) => {
      const read = await grammarReader();

      expect(() => {
        read(simpleSchema(schema));
      }).not.toThrow();
    },
  );
});
