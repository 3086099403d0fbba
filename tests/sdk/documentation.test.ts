import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../support/folder.ts';
import document from '../../server/src/generated/openapi.json' with { type: 'json' };
import type { OperationId } from '../../sdk/src/index.ts';
import { lists, reads, writes } from '../../sdk/src/query-options.ts';

const root = join(import.meta.dirname, '../..');
const sdk = join(root, 'sdk');
const readme = readFileSync(join(sdk, 'README.md'), 'utf8');

/** The name of each operation's method. */
const methods: ReadonlyMap<string, string> = new Map([
  ['getMe', 'me'],
  ...Object.entries({ ...reads, ...lists, ...writes }).map(([id, [, name]]) => [id, name] as const),
]);

const operations = Object.values(document.paths)
  .flatMap(
    (item) => Object.values(item) as { operationId?: OperationId; summary?: string; description?: string }[],
  )
  .flatMap(({ operationId, summary, description }) =>
    operationId === undefined || !methods.has(operationId)
      ? []
      : [{ operationId, documentation: `${summary ?? ''}. ${description ?? ''}` }],
  );

const comments = sources()
  .flatMap(({ text }) => text.match(/\/\*\*[\s\S]*?\*\/\s*(?:export )?[\w ]+/g) ?? [])
  .map((comment) => oneLine(comment.replaceAll(/^\s*\/?\*+/gm, '')));

describe('documentation of the SDK', () => {
  it.each(operations)(
    'the method of $operationId has the text of the contract and an example',
    ({ operationId, documentation }) => {
      const comment = comments.find((each) => each.includes(oneLine(documentation)));

      expect(comment, `A method in sdk/src needs this text: ${documentation}`).toBeDefined();
      expect(comment).toMatch(new RegExp(`\\*?/ ${methods.get(operationId) ?? 'unknown'}$`));
      expect(comment).toContain('@example');
    },
  );

  it('the examples in the comments and in the README compile', async () => {
    const inComments = sources().flatMap(({ name, text }) => namedExamples(name, examplesOfComments(text)));
    const inReadme = namedExamples('README', examplesOfReadme());

    expect(inComments.length).toBeGreaterThan(20);
    expect(inReadme.length).toBeGreaterThan(8);
    expect(await compilerErrors([...inComments, ...inReadme])).toBe('');
  });
});

function sources(): { name: string; text: string }[] {
  return globSync(join(sdk, 'src/*.ts')).map((file) => ({
    name: basename(file, '.ts'),
    text: readFileSync(file, 'utf8'),
  }));
}

function examplesOfComments(text: string): string[] {
  return [...text.matchAll(/@example\n([\s\S]*?)\*\//g)].map(([, code = '']) =>
    code.replaceAll(/^ *\* ?/gm, ''),
  );
}

function examplesOfReadme(): string[] {
  return [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code);
}

function namedExamples(source: string, examples: readonly string[]): [file: string, code: string][] {
  return examples.map((code, index) => [`${source}-${index + 1}.ts`, code]);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** The compiler's errors in examples. The examples may use a `client`. */
async function compilerErrors(examples: readonly [file: string, code: string][]): Promise<string> {
  const folder = await createFolder();
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const compilerOptions = {
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2022', 'dom', 'dom.asynciterable'],
    types: [],
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    paths: { '@worktable/sdk': [join(sdk, 'src/index.ts')], '@worktable/sdk/*': [join(sdk, 'src/*.ts')] },
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  for (const [file, code] of examples) await writeFile(join(folder, file), withImports(code));
  const tsc = join(root, 'node_modules/.bin/tsc');
  return promisify(execFile)(tsc, ['-p', folder, '--pretty', 'false'], { cwd: folder }).then(
    ({ stdout }) => stdout,
    (error: unknown) => (error as { readonly stdout: string }).stdout,
  );
}

function withImports(code: string): string {
  const create = code.includes('import {') ? '' : 'createClient, ';
  const client = /const client =/.test(code) ? '' : 'declare const client: Client;\n';
  return `import { ${create}type Client } from '@worktable/sdk';\n${client}${code}`;
}
