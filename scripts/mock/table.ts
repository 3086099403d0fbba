import { namedExamples } from './examples.ts';
import { noPicture } from './pictures.ts';
import { namedProblems } from './problems.ts';
import type { Contract } from './document.ts';

/** Something to see, and the operations that show it when they are sent this `Prefer`. */
interface Row {
  readonly shows: string;
  readonly prefer: string;
  readonly operations: readonly string[];
}

/** The page on the mock: what to send to see which state. */
export function mockPage(contract: Contract): string {
  const states = namedExamples(noPicture).map(({ shows, name, operation }) => ({
    shows,
    prefer: `example=${name}`,
    operations: [operation],
  }));
  const [operations, problems] = [operationIds(contract), problemRows(contract)];
  return `${introduction}
## States

Without \`Prefer\`, each operation answers with the example of the reference: lists have one entry, runs are completed, and
charts show a chart in all three formats.

${table(states, operations)}

## Errors

${table(problems, operations)}
`;
}

const introduction = `<!-- Made from openapi/ and scripts/mock/ by \`npm run generate\`. -->

# The mock

The mock answers every operation of the contract with an example, so that a user interface can be written without a server. It
accepts any token and keeps nothing. It answers a request that breaks the contract with 400, 401, 404, 405, 413 or 415, as the
server does. It passes no request on to another server. The header \`Prefer\` selects what to see:

\`\`\`ts
import { createClient } from '@worktable/sdk';

const client = createClient({ baseUrl: 'http://127.0.0.1:4010', token: 'any' });
await client.withOptions({ headers: { Prefer: 'example=empty' } }).tasks.list().toArray(); // no tasks
await client.tasks.get('any', { headers: { Prefer: 'code=404' } }); // throws a NotFoundError
\`\`\`

- **In the repository**, \`npm run mock\` serves it at http://127.0.0.1:4010; \`npm run mock -- --port 4110\` elsewhere.
- **Without the repository**, Prism serves it from the package: \`npx @stoplight/prism-cli@5 mock node_modules/@worktable/sdk/mock.json\`.
  Prism cannot send bytes, so ask for charts as JSON there: PNG and PDF that are sent as such are not valid. Prism leaves a
  request without an answer if its body is not valid JSON or is compressed, and ends when a request has an \`Accept\` that it
  cannot parse. It refuses paths outside the contract with problem details of its own.
- **With state**, use the server itself: \`npm start -- --demo\` keeps its data in memory and begins with tasks, an agent and a
  session.
`;

function table(rows: readonly Row[], all: readonly string[]): string {
  const lines = rows.map(({ shows, prefer, operations }) => {
    const names = operations.length === all.length ? 'every operation' : operations.map(code).join(' ');
    return `| ${shows} | ${names} | ${code(prefer)} |`;
  });
  return ['| To see | Call | Send as `Prefer` |', '| --- | --- | --- |', ...lines].join('\n');
}

function code(text: string): string {
  return `\`${text}\``;
}

interface Shown {
  readonly operation: string;
  readonly prefer: string;
  readonly shows: string;
}

function problemRows(contract: Contract): Row[] {
  const byKey = new Map<string, Shown[]>();
  for (const shown of shownProblems(contract)) {
    const key = `${shown.prefer} ${shown.shows}`;
    byKey.set(key, [...(byKey.get(key) ?? []), shown]);
  }
  return [...byKey.values()]
    .flatMap((group) => {
      const [first] = group;
      return first === undefined ? [] : [{ ...first, operations: group.map(({ operation }) => operation) }];
    })
    .toSorted((a, b) => (a.prefer < b.prefer ? -1 : a.prefer > b.prefer ? 1 : 0));
}

function shownProblems({ paths, components }: Contract): Shown[] {
  return Object.values(paths).flatMap((item) =>
    Object.values(item).flatMap(({ operationId, responses = {} }) =>
      Object.entries(responses).flatMap(([status, response]) => {
        if (operationId === undefined || !/^[45]/.test(status)) return [];
        const name = response.$ref?.replace(/^.*\//, '') ?? '';
        const { content = {} } = components.responses[name] ?? response;
        const example = content['application/problem+json']?.example as { code?: string } | undefined;
        const row = { operation: operationId, prefer: `code=${status}`, shows: `\`${example?.code ?? ''}\`` };
        const named = namedProblems(name).map(({ name: key, value }) => ({
          ...row,
          prefer: `code=${status}, example=${key}`,
          shows: `\`${value.code}\``,
        }));
        return [row, ...named];
      }),
    ),
  );
}

function operationIds({ paths }: Contract): string[] {
  return Object.values(paths).flatMap((item) =>
    Object.values(item).flatMap(({ operationId }) => operationId ?? []),
  );
}
