import type { Schemas } from '../../server/src/operation.ts';
import type { Contract } from './document.ts';

/** Something to see, and the operation that shows it when it is sent this `Prefer`. */
interface Row {
  readonly shows: string;
  readonly operation: string;
  readonly prefer: string;
}

/** The page on the mock: what to send to see which state, in the document that the mock serves. */
export function mockPage({ paths, components }: Contract): string {
  const rows = Object.values(paths).flatMap((item) =>
    Object.values(item).flatMap(({ operationId: operation = '', responses = {} }) =>
      Object.entries(responses).flatMap(([status, reference], i) => {
        const name = reference.$ref?.replace(/^.*\//, '') ?? '';
        const { content = {} } = components.responses[name] ?? reference;
        // Prism serves 422 as the default.
        const code = i === 0 ? [] : [`code=${status === 'default' ? '422' : status}`];
        return Object.values(content).flatMap(({ example, examples = { default: { value: example } } }) =>
          Object.entries(examples).map(([key, { summary, value }], n) => ({
            shows: summary ?? codeOf(value),
            operation,
            prefer: [...code, ...(n === 0 ? [] : [`example=${key}`])].join(', '),
          })),
        );
      }),
    ),
  );
  const selected = rows.filter(({ shows, prefer }) => shows !== '' && prefer !== '');
  const isError = ({ shows }: Row): boolean => shows.startsWith('`');
  const every = new Set(rows.map(({ operation }) => operation)).size;
  return [
    introduction,
    table(
      selected.filter((row) => !isError(row)),
      every,
    ),
    '## Errors',
    'Each operation has the errors that it can have on the server.',
    table(selected.filter(isError), every),
    '',
  ].join('\n\n');
}

function codeOf(value: unknown): string {
  const { code } = Object(value) as Partial<Schemas['Problem']>;
  return code === undefined ? '' : `\`${code}\``;
}

/** One line for what several operations show by the same `Prefer`. */
function table(rows: readonly Row[], every: number): string {
  const groups = Map.groupBy(rows, ({ prefer, shows }) => `${prefer} ${shows}`);
  const lines = [...groups.values()].map((group) => {
    const names = [...new Set(group.map(({ operation }) => `\`${operation}\``))];
    const [{ shows, prefer } = { shows: '', prefer: '' }] = group;
    return `| ${shows} | ${names.length === every ? 'every operation' : names.join(' ')} | \`${prefer}\` |`;
  });
  return ['| To see | Call | Send as `Prefer` |', '| --- | --- | --- |', ...lines].join('\n');
}

const introduction = `<!-- Made from openapi/ and scripts/mock/ by \`npm run generate\`. -->

# The mock

The mock answers every operation of the contract by an example, so that a user interface can be written without a server. It
accepts any token. The header \`Prefer\` selects what to see:

\`\`\`ts
import { createClient } from '@worktable/sdk';

const client = createClient({ baseUrl: 'http://127.0.0.1:4010', token: 'any' });
await client.withOptions({ headers: { Prefer: 'example=empty' } }).tasks.list().toArray(); // no tasks
await client.tasks.get('any', { headers: { Prefer: 'code=404' } }); // throws a NotFoundError
\`\`\`

- **In the repository**, \`npm run mock\` serves it at http://127.0.0.1:4010; \`npm run mock -- --port 4110\` elsewhere. It reads
  and validates requests by the code of the server, and draws the charts of requests.
- **Inside a test or a page**, \`createMock\` of \`@worktable/sdk/mock\` answers by the \`mock.json\` of the package, as \`fetch\` of a
  client or in MSW; [recipes.md](recipes.md#msw) has both. It accepts each body, and each chart is the same example.
- **Without the repository**, Prism serves \`mock.json\`: \`npx @stoplight/prism-cli@5 mock node_modules/@worktable/sdk/mock.json\`.
  It ends streams after their events, and sends no 202 for \`respond-async\` unless \`Prefer\` has \`code=202\`. It cannot send bytes,
  so ask for charts as JSON. It leaves a request without an answer if its body is not valid JSON or is compressed, and ends
  when a request has an \`Accept\` that it cannot parse.
- **With state**, use the server itself: \`npm start -- --demo\` keeps its data in memory and begins with tasks, an agent and a
  session.

## Differences from the server

- Nothing is kept: responses have the ids and the fields of the examples, whatever was sent, deleted or configured.
- Versions are not compared: every \`If-Match\` and \`If-None-Match\` is taken for the right one.
- An \`Idempotency-Key\` has no effect.
- Lists ignore filters, orders and limits.
- A run completes at once, also where it would wait for an approval.
- One change is listed, whatever the position. A stream of changes sends it and stays open.
- Requests are not limited, so responses have no \`RateLimit\`.

## States

Without \`Prefer\`, lists have one entry and runs are completed.`;
