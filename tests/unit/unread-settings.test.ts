import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

const server = join(import.meta.dirname, '../../server');
const tables = ['settings.ts', 'agent-settings.ts'].map((file) => join(server, 'src/config', file));
// A demo only replaces the values of settings.
const writers = [join(server, 'src/config/demo.ts')];

it('each setting is read, and one that is not is found by its name', () => {
  const unread = unreadSettings((text) =>
    text.replace(
      'const charts = {',
      "const charts = { another: { name: 'CHART_ANOTHER', parse: text, meaning: 'Nothing.' },",
    ),
  );

  expect(unread).toEqual(['charts.another']);
});

/** The settings, by group, that no code of the server reads. `change` is applied to the tables of settings. */
function unreadSettings(change: (text: string) => string): string[] {
  const service = openServer((path, text) => (tables.includes(path) ? change(text) : text));
  return tables.flatMap((table) =>
    settingsIn(service.getProgram()?.getSourceFile(table)).flatMap(({ name, start }) => {
      const references = service.findReferences(table, start)?.flatMap((symbol) => symbol.references) ?? [];
      const readers = references.filter(({ fileName }) => ![...tables, ...writers].includes(fileName));
      return readers.length === 0 ? [name] : [];
    }),
  );
}

function openServer(change: (path: string, text: string) => string): ts.LanguageService {
  const { config } = ts.readConfigFile(join(server, 'tsconfig.json'), (path) => ts.sys.readFile(path));
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, server);
  return ts.createLanguageService({
    ...ts.sys,
    useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
    getCurrentDirectory: () => server,
    getCompilationSettings: () => options,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    getScriptFileNames: () => fileNames,
    getScriptVersion: () => '1',
    getScriptSnapshot: (path) => {
      const text = ts.sys.readFile(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(change(path, text));
    },
  });
}

interface Place {
  /** The group and the setting. */
  readonly name: string;
  readonly start: number;
}

/** The settings in the groups that are constants of a file. */
function settingsIn(file: ts.SourceFile | undefined): Place[] {
  const constants = file?.statements.filter(ts.isVariableStatement) ?? [];
  return constants
    .flatMap(({ declarationList }) => declarationList.declarations)
    .flatMap(({ name: group, initializer }) =>
      settingsOf(initializer).map(({ name }) => ({
        name: `${group.getText(file)}.${name.getText(file)}`,
        start: name.getStart(file),
      })),
    );
}

/** The properties of an object, even inside `as const satisfies Settings`. */
function settingsOf(value: ts.Expression | undefined): ts.PropertyAssignment[] {
  if (value === undefined) return [];
  if (ts.isSatisfiesExpression(value) || ts.isAsExpression(value)) return settingsOf(value.expression);
  return ts.isObjectLiteralExpression(value) ? value.properties.filter(ts.isPropertyAssignment) : [];
}
