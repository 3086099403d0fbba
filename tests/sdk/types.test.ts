import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type {
  AgentCreate,
  ChartRequest,
  FieldError,
  Message,
  Run,
  RunEvent,
  RunRequest,
  TaskCreate,
  TaskQuery,
} from '../../sdk/src/index.ts';

describe('the types', () => {
  it('each event of a run has a type of its own', () => {
    expectTypeOf<Extract<RunEvent, { event: 'run.completed' }>['data']>().toEqualTypeOf<Run>();
    expectTypeOf<Extract<RunEvent, { event: 'message' }>['data']>().toEqualTypeOf<Message>();
  });

  it('requests take read-only arrays', () => {
    expectTypeOf<{ data: readonly { label: string; value: number }[] }>().toExtend<ChartRequest>();
    expectTypeOf<{ name: string; skills: readonly ['tasks'] }>().toExtend<AgentCreate>();
  });

  it('requests take undefined for what may be absent', () => {
    expectTypeOf<{ title: string; tags: string | undefined; status: undefined }>().toExtend<TaskCreate>();
    expectTypeOf<{ q: string | undefined; status: undefined; limit: undefined }>().toExtend<TaskQuery>();
    expectTypeOf<{ input: string; context: { session_id: undefined } }>().toExtend<RunRequest>();
  });

  it('the errors of fields have codes that a switch can list', () => {
    expectTypeOf<'too_long' | 'not_blank'>().toExtend<FieldError['code']>();
  });
});

const sdk = join(import.meta.dirname, '../../sdk/src');
const file = join(sdk, 'hovers.ts');
const source = `
import { createClient, type Problem } from './index.ts';
const client = createClient({ baseUrl: 'http://localhost', token: 't' });
export const run = await client.runs.get('1');
export const session = await client.sessions.get('1');
export const { run: latest } = session;
export const messages = await client.sessions.listMessages('1').toArray();
export const task = await client.tasks.get('1');
export declare const problem: Problem;
export const createdAt = task.created_at;
export const completedAt = run.completed_at;
`;

describe('the hovers of an editor', () => {
  const { types, documentationOf } = hovers();

  it.each([
    ['run', 'Run'],
    ['session', 'Session'],
    ['latest', 'Run | null'],
    ['messages', 'Message[]'],
    ['task', 'Task'],
    ['problem', 'Problem'],
  ])('%s is shown as %s', (name, type) => {
    expect(types.get(name)).toBe(type);
  });

  it.each([
    ['Task', 'created_at', /^A timestamp in UTC/],
    ['Run', 'completed_at', /^A timestamp in UTC/],
    ['Problem', 'code', /^The error code, for programs/],
    ['AgentCreate', 'runtime', /selects the default of the server/],
  ])('%s.%s has the description of its schema', (type, field, text) => {
    expect(documentationOf(type, field)).toMatch(text);
  });
});

/** What an editor shows for the variables in `source` (types) and for fields (documentation). */
function hovers() {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
    types: [],
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
  };
  const host = ts.createCompilerHost(options);
  const program = ts.createProgram([file], options, {
    ...host,
    fileExists: (name) => name === file || host.fileExists(name),
    getSourceFile: (name, version) =>
      name === file ? ts.createSourceFile(name, source, version) : host.getSourceFile(name, version),
  });
  const checker = program.getTypeChecker();
  const exportsOf = (name: string): ts.Symbol[] => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(name) as ts.SourceFile);
    return module === undefined ? [] : checker.getExportsOfModule(module);
  };
  return {
    types: new Map(
      exportsOf(file).map((symbol) => [symbol.name, checker.typeToString(checker.getTypeOfSymbol(symbol))]),
    ),
    documentationOf: (type: string, field: string): string => {
      const symbol = exportsOf(join(sdk, 'index.ts')).find(({ name }) => name === type);
      const declared = symbol && checker.getDeclaredTypeOfSymbol(resolveAlias(checker, symbol));
      const property = declared && checker.getPropertyOfType(declared, field);
      const description = property?.getJsDocTags(checker).find(({ name }) => name === 'description');
      return ts.displayPartsToString(description?.text);
    },
  };
}

function resolveAlias(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}
