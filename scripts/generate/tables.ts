import type { OpenAPI3 } from 'openapi-typescript';
import { createClient } from '../../sdk/src/index.ts';
import { lists, reads, writes } from '../../sdk/src/operation-methods.ts';
import type { Settings } from '../../server/src/config/setting.ts';
import { settings } from '../../server/src/config/settings.ts';

/** A page with a table between its marks `<!-- NAME: … -->` and `<!-- end of NAME -->`. */
export function withTable(page: string, name: string, rows: readonly string[]): string {
  const between = new RegExp(`(<!-- ${name}[^>]*-->\n)[^]*?(<!-- end of ${name} -->)`);
  if (!between.test(page)) throw new Error(`A page has lost a mark of the table of ${name}.`);
  return page.replace(between, (_, begin: string, end: string) => `${begin}${rows.join('\n')}\n${end}`);
}

const groups: readonly Settings[] = Object.values(settings);

/** The table of the settings on the operator's page. */
export function settingsTable(): string[] {
  const rows = groups
    .flatMap((group) => Object.values(group))
    .map(({ name, default: text = '', meaning }) =>
      ['', `\`${name}\``, text === '' ? '' : `\`${text}\``, meaning, ''].join(' | ').trim(),
    );
  return ['| Variable | Default | Meaning |', '|---|---|---|', ...rows];
}

const methods: Readonly<Record<string, readonly [area: string, name: string, parameters: number]>> = {
  ...reads,
  ...lists,
  ...writes,
};

/** The table of the methods of each area: the methods of operations in the order of the contract, then the others. */
export function methodsTable({ paths = {} }: OpenAPI3): string[] {
  const ofOperations = Object.values(paths)
    .flatMap((item) => Object.values(item) as readonly { readonly operationId?: string }[])
    .flatMap(({ operationId = '' }) => (methods[operationId] ? [methods[operationId]] : []));
  // No request is sent.
  const areas = Object.entries(createClient({ baseUrl: 'http://localhost', token: 'none' }));
  const rows = areas.flatMap(([area, ofArea]: [string, unknown]) => {
    if (typeof ofArea !== 'object' || ofArea === null) return [];
    const inOrder = ofOperations.filter((method) => method[0] === area).map(([, name]) => name);
    const names = [...new Set([...inOrder, ...Object.keys(ofArea)])];
    return [`| \`client.${area}\` | ${names.map((name) => `\`${name}\``).join(' ')} |`];
  });
  return ['| Area | Methods |', '| --- | --- |', ...rows];
}
