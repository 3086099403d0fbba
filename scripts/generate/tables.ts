import { readFileSync } from 'node:fs';
import type { ExampleObject, OpenAPI3, OperationObject, ResponseObject } from 'openapi-typescript';
import { createClient } from '../../sdk/src/index.ts';
import type { Settings } from '../../server/src/config/setting.ts';
import { settings } from '../../server/src/config/settings.ts';

/** Replaces the table in a page between the marks `<!-- NAME: … -->` and `<!-- end of NAME -->`. */
export function withTable(page: string, name: string, rows: readonly string[]): string {
  const between = new RegExp(`(<!-- ${name}[^>]*-->\n)[^]*?(<!-- end of ${name} -->)`);
  if (!between.test(page)) throw new Error(`A page has lost a mark of the table of ${name}.`);
  return page.replace(between, (_, begin: string, end: string) => `${begin}${rows.join('\n')}\n${end}`);
}

/** The table of server/settings.md. Its third column is written by hand. */
export function settingsTable(): string[] {
  const page = readFileSync(new URL('../../server/settings.md', import.meta.url), 'utf8');
  const groups: readonly Settings[] = Object.values(settings);
  const rows = groups.flatMap(Object.values).map(({ name, default: text = '' }: Settings[string]) => {
    const [, meaning] = new RegExp(`^\\| \`${name}\` \\|.*?\\| (.+) \\|$`, 'm').exec(page) ?? [];
    if (meaning === undefined) throw new Error(`Write in server/settings.md what ${name} means.`);
    return `| \`${name}\` | ${text && `\`${text}\``} | ${meaning} |`;
  });
  return ['| Variable | Default | Meaning |', '|---|---|---|', ...rows];
}

/** The table of each area's methods. */
export function methodsTable(): string[] {
  // The client is created only to list its methods, and sends no request.
  const areas = Object.entries(createClient({ baseUrl: 'http://localhost', token: 'none' }));
  const rows = areas.flatMap(([area, ofArea]: [string, unknown]) => {
    if (typeof ofArea !== 'object' || ofArea === null) return [];
    const names = Object.keys(ofArea).map((name) => `\`${name}\``);
    return [`| \`client.${area}\` | ${names.join(' ')} |`];
  });
  return ['| Area | Methods |', '|---|---|', ...rows];
}

/** The list of mock.md: what to send to see each example that has a summary. */
export function statesTable({ paths = {} }: OpenAPI3): string[] {
  // The casts are harmless: `parameters` and references to responses lack the fields that are read here.
  const operations = Object.values(paths).flatMap((item) => Object.values(item) as OperationObject[]);
  const states = operations.flatMap(({ operationId, responses = {} }) =>
    (Object.entries(responses) as [string, ResponseObject][]).flatMap(([status, { content = {} }], i) =>
      Object.values(content).flatMap(({ examples = {} }) =>
        (Object.entries(examples) as [string, ExampleObject][]).flatMap(([name, { summary }]) => {
          const code = i === 0 ? '' : `code=${status}, `;
          const line = `- ${summary}: \`${code}example=${name}\` for`;
          return summary === undefined ? [] : [{ line, operation: `\`${operationId}\`` }];
        }),
      ),
    ),
  );
  const operationsByLine = Map.groupBy(states, ({ line }) => line);
  return [...operationsByLine].map(([line, group]) =>
    [line, ...new Set(group.map(({ operation }) => operation))].join(' '),
  );
}
