import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import document from '../../server/src/generated/openapi.json' with { type: 'json' };
import type { OperationId } from '../../sdk/src/index.ts';
import { lists, reads, writes } from '../../sdk/src/operation-methods.ts';

const sdk = join(import.meta.dirname, '../../sdk');
const readme = readFileSync(join(sdk, 'README.md'), 'utf8');

/** The name of the method of each operation. */
const methods: ReadonlyMap<string, string> = new Map([
  ['getMe', 'me'],
  ...Object.entries({ ...reads, ...lists, ...writes }).map(([id, [, name]]) => [id, name] as const),
]);

const operations = Object.values(document.paths)
  .flatMap(
    (item) => Object.values(item) as { operationId?: OperationId; summary?: string; description?: string }[],
  )
  .flatMap(({ operationId, summary, description }) =>
    operationId === undefined
      ? []
      : [{ operationId, documentation: `${summary ?? ''}. ${description ?? ''}` }],
  );

const comments = sources()
  .flatMap((text) => text.match(/\/\*\*[\s\S]*?\*\/\s*(?:export )?[\w ]+/g) ?? [])
  .map((comment) => oneLine(comment.replaceAll(/^\s*\/?\*+/gm, '')));

describe('documentation of the SDK', () => {
  it.each(operations)(
    'the method of $operationId has the text of the contract and an example',
    ({ operationId, documentation }) => {
      const comment = comments.find((each) => each.includes(oneLine(documentation)));

      expect(comment, documentation).toBeDefined();
      expect(comment).toMatch(new RegExp(`\\*?/ ${methods.get(operationId) ?? 'unknown'}$`));
      expect(comment).toContain('@example');
    },
  );

  it('the README says of each method that changes something whether it is retried', () => {
    const [, rows = ''] = /^\| Call \| Retried \|\n([\s\S]*?)\n\n/m.exec(readme) ?? [];
    const named = rows.split('\n').flatMap((row) => row.split('|')[1]?.match(/\w+/g) ?? []);

    expect(named).toEqual(expect.arrayContaining(Object.values(writes).map(([, name]) => name)));
  });

  it('the examples in the comments compile', () => {
    const examples = sources().flatMap(examplesOfComments);

    expect(examples.length).toBeGreaterThan(20);
    expect(compilerErrors(examples)).toEqual([]);
  });

  it('the examples in the README compile', () => {
    const examples = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)];

    expect(examples.length).toBeGreaterThan(8);
    expect(compilerErrors(examples.map(([, code = '']) => code))).toEqual([]);
  });
});

function sources(): string[] {
  return globSync(join(sdk, 'src/*.ts')).map((file) => readFileSync(file, 'utf8'));
}

function examplesOfComments(text: string): string[] {
  return [...text.matchAll(/@example\n([\s\S]*?)\*\//g)].map(([, code = '']) =>
    code.replaceAll(/^ *\* ?/gm, ''),
  );
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** The compiler errors of examples, which may use a `client`. */
function compilerErrors(examples: readonly string[]): string[] {
  const files = new Map(
    examples.map((code, index) => [join(sdk, 'src', `example-${index}.ts`), withImports(code)]),
  );
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.asynciterable.d.ts'],
    types: [],
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    paths: { '@worktable/sdk': [join(sdk, 'src/index.ts')], '@worktable/sdk/*': [join(sdk, 'src/*.ts')] },
  };
  const host = ts.createCompilerHost(options);
  const compiler: ts.CompilerHost = {
    ...host,
    fileExists: (file) => files.has(file) || host.fileExists(file),
    readFile: (file) => files.get(file) ?? host.readFile(file),
    getSourceFile: (file, version) => {
      const text = files.get(file);
      return text === undefined
        ? host.getSourceFile(file, version)
        : ts.createSourceFile(file, text, version);
    },
  };
  return ts
    .getPreEmitDiagnostics(ts.createProgram([...files.keys()], options, compiler))
    .map(
      ({ messageText, file }) =>
        `${ts.flattenDiagnosticMessageText(messageText, '\n')} in\n${file?.text ?? ''}`,
    );
}

function withImports(code: string): string {
  const known = ['createClient', 'Client'].filter((name) => !code.includes('import {') || name === 'Client');
  const client = /const client =/.test(code) ? '' : 'declare const client: Client;\n';
  return `import { ${known.map((name) => (name === 'Client' ? 'type Client' : name)).join(', ')} } from '@worktable/sdk';\n${client}${code}`;
}
