import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../server/src/config.ts';

const page = readFileSync(join(import.meta.dirname, '../../server/README.md'), 'utf8');

/** Rows such as "| `PORT` | `3000` | Port to listen on. |". */
const rows = [...page.matchAll(/^\| `([A-Z_<>]+)` \| (?:`([^`]*)`)? *\|/gm)].map(
  ([, name = '', value = '']) => ({ name, value }),
);
const withDefault = rows.filter(({ value }) => value !== '');
const withoutDefault = rows.filter(({ name, value }) => value === '' && !name.includes('<NAME>'));

describe("the configuration table of the operator's page", () => {
  it('lists exactly the variables that are read', () => {
    expect(rows.map(({ name }) => name).sort()).toEqual([...variablesRead()].sort());
  });

  it.each(withDefault)('$name defaults to $value', ({ name, value }) => {
    // A setting of a server that has a name needs that server.
    const env = name.includes('<NAME>') ? namedServers : {};

    expect(readConfig({ ...env, [name.replace('<NAME>', 'NAME')]: value })).toEqual(readConfig(env));
  });

  it('has no default for a setting that is empty by default', () => {
    expect(withoutDefault).toHaveLength(emptyValues(readConfig({})));
  });
});

/** One model server and one MCP server called NAME. */
const namedServers = {
  AGENT_RUNTIMES: 'name',
  AGENT_RUNTIME_NAME_URL: 'http://127.0.0.1:1/v1',
  AGENT_RUNTIME_NAME_MODEL: 'model',
  MCP_SKILLS: 'name',
  MCP_SKILL_NAME_URL: 'http://127.0.0.1:1/mcp',
};

/** The variables that `readConfig` reads. */
function variablesRead(): Set<string> {
  const names = new Set<string>();
  readConfig(
    new Proxy<NodeJS.ProcessEnv>(namedServers, {
      get: (target, name) => {
        names.add(String(name).replace('_NAME_', '_<NAME>_'));
        return target[String(name)];
      },
    }),
  );
  return names;
}

/** The number of settings that are absent or an empty list. */
function emptyValues(value: unknown): number {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return 1;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((count, each) => count + emptyValues(each), 0);
}
