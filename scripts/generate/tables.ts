import { readFileSync } from 'node:fs';
import type { OpenAPI3, OperationObject } from 'openapi-typescript';
import { createClient } from '../../sdk/src/index.ts';
import { lists, reads, writes } from '../../sdk/src/query-options.ts';
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

const methods: Readonly<Record<string, readonly [area: string, name: string, parameters: number]>> = {
  ...reads,
  ...lists,
  ...writes,
};

/** The table of each area's methods: first the methods of operations in the order of the contract, then the others. */
export function methodsTable(document: OpenAPI3): string[] {
  const ofOperations = methodsIn(document);
  // The client is created only to list its methods, and sends no request.
  const areas = Object.entries(createClient({ baseUrl: 'http://localhost', token: 'none' }));
  const rows = areas.flatMap(([area, ofArea]: [string, unknown]) => {
    if (typeof ofArea !== 'object' || ofArea === null) return [];
    const inOrder = ofOperations.filter((method) => method.area === area).map(({ name }) => name);
    return [`| \`client.${area}\` | ${quoted([...inOrder, ...Object.keys(ofArea)]).join(' ')} |`];
  });
  return ['| Area | Methods |', '|---|---|', ...rows];
}

/** The table of the calls that the client retries. `tests/sdk/retried-writes.test.ts` checks the table. */
export function retriesTable(document: OpenAPI3): string[] {
  const {
    keyed = [],
    post = [],
    put = [],
    delete: deletions = [],
  } = Object.groupBy(methodsIn(document), ({ verb, parameters }) =>
    parameters.includes('IdempotencyKey') ? 'keyed' : verb,
  );
  const namesOf = (methodsOfRow: readonly Method[]): string[] => quoted(methodsOfRow.map(({ name }) => name));
  const conditional = namesOf(post.filter(({ parameters }) => parameters.includes('IfMatch')));
  const rows: readonly (readonly [names: readonly string[], isRetried: string])[] = [
    [['reads and lists'], 'Yes.'],
    [
      [...namesOf(keyed), '`stream`'],
      'Yes. All attempts of a call send the same `Idempotency-Key`, so it takes effect once.',
    ],
    [namesOf(post), 'Yes: repeating them has no further effect.'],
    [
      [...namesOf(put), ...conditional.map((name) => `and ${name} with \`ifMatch\``)],
      "Only after a 408, a 429 or the server's own 503: they mean that the server did nothing.",
    ],
    [
      namesOf(deletions),
      'Yes. If the response to the first attempt was lost, the retry may throw a `NotFoundError`.',
    ],
  ];
  const lines = rows.map(([names, isRetried]) => `| ${names.join(', ')} | ${isRetried} |`);
  return ['| Call | Retried |', '|---|---|', ...lines];
}

/** A method of the SDK, and the parts of its operation. */
interface Method {
  readonly area: string;
  readonly name: string;
  readonly verb: string;
  /** The names of shared parameters. */
  readonly parameters: readonly string[];
}

function methodsIn({ paths = {} }: OpenAPI3): Method[] {
  return Object.values(paths).flatMap((item) =>
    (Object.entries(item) as readonly [string, OperationObject][]).flatMap(([verb, operation]) => {
      const method = methods[operation.operationId ?? ''];
      if (method === undefined) return [];
      const parameters = JSON.stringify(operation.parameters ?? []).match(/\w+(?="})/g) ?? [];
      return [{ area: method[0], name: method[1], verb, parameters }];
    }),
  );
}

function quoted(names: readonly string[]): string[] {
  return [...new Set(names)].map((name) => `\`${name}\``);
}
