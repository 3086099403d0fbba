import type { Schemas } from '../../server/src/contract/operation.ts';
import { componentOf, type Contract } from './document.ts';

/** A state or error, the operation that shows it, and the `Prefer` to send for it. */
interface Row {
  readonly shows: string;
  readonly operation: string;
  readonly prefer: string;
}

/** The lists of mock.md: what to send to see each state and each error of the mock's document. */
export function mockTables({ paths, components }: Contract): { states: string[]; errors: string[] } {
  const rows = Object.values(paths).flatMap((item) =>
    Object.values(item).flatMap(({ operationId: operation = '', responses = {} }) =>
      Object.entries(responses).flatMap(([status, reference], i) => {
        const { content = {} } = components.responses[componentOf(reference)] ?? reference;
        // In the mock's document, 422 is the default response.
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
  const { states = [], errors = [] } = Object.groupBy(selected, ({ shows }) =>
    shows.startsWith('`') ? 'errors' : 'states',
  );
  const every = [...new Set(rows.map(({ operation }) => `\`${operation}\``))];
  return { states: list(states, every), errors: list(errors, every) };
}

function codeOf(value: unknown): string {
  const { code } = Object(value) as Partial<Schemas['Problem']>;
  return code === undefined ? '' : `\`${code}\``;
}

/** One line for all operations in which the same `Prefer` has the same result. */
function list(rows: readonly Row[], every: readonly string[]): string[] {
  const groups = Map.groupBy(rows, ({ prefer, shows }) => `${prefer} ${shows}`);
  return [...groups.values()].map((group) => {
    const names = [...new Set(group.map(({ operation }) => `\`${operation}\``))];
    const others = every.filter((name) => !names.includes(name));
    const all = ['every operation', ...(others.length > 0 ? ['except', ...others] : [])];
    const [{ shows, prefer } = { shows: '', prefer: '' }] = group;
    return `- ${shows}: \`${prefer}\` for ${(others.length < names.length ? all : names).join(' ')}`;
  });
}
