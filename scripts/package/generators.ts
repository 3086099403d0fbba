import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compile, type ServerAddress } from './program.ts';
import { shell } from './shell.ts';
import { bundle } from './tarball.ts';

// Third-party tools read the contract from the package.
const contract = 'node_modules/@worktable/sdk/openapi.json';
const install = ['install', '--silent', '--no-audit', '--no-fund', '--ignore-scripts'];

/** Lints the contract with Spectral's rules for OpenAPI. */
export async function lintBySpectral(folder: string): Promise<string> {
  await shell(folder, 'npm', ...install, '@stoplight/spectral-cli@6.16.3');
  await writeFile(join(folder, '.spectral.yaml'), 'extends: ["spectral:oas"]\n');
  await shell(folder, 'node_modules/.bin/spectral', 'lint', contract, '--fail-severity', 'error');
  return 'used';
}

/** Converts the contract to a Postman collection. */
export async function importByPostman(folder: string): Promise<string> {
  await shell(folder, 'npm', ...install, 'openapi-to-postmanv2@6.3.3');
  await shell(folder, 'node_modules/.bin/openapi2postmanv2', '-s', contract, '-o', 'collection.json');
  const collection = await readFile(join(folder, 'collection.json'), 'utf8');
  return /"name": *"Create a task"/.test(collection)
    ? 'used'
    : `The collection lacks an operation: ${collection}`;
}

const task = "{ title: 'Buy milk' }";
const orval = `import { createTask } from './client';
const { fetch: send } = globalThis;
globalThis.fetch = (path, init) => send(baseUrl + path, init);
const response = await createTask(${task}, { headers });
const title = response.status === 201 && response.data.task.title;`;

/** The configuration file of kubb, the only generator without command-line options. */
const kubb = `import { defineConfig } from '@kubb/core';
import { pluginClient } from '@kubb/plugin-client';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';
const plugins = [pluginOas({ generators: [] }), pluginTs(), pluginClient({ client: 'fetch' })];
export default defineConfig({ input: { path: '${contract}' }, output: { path: 'client' }, plugins });
`;

/** For each generator: its packages, its command without the contract, and a program that creates a task. */
const generators = [
  [
    'openapi-typescript@7.13.0 openapi-fetch@0.17.0',
    `openapi-typescript -o client.ts`,
    `import createClient from 'openapi-fetch';
import type { paths } from './client';
const { data } = await createClient<paths>({ baseUrl, headers }).POST('/api/tasks', { body: ${task} });
const title = data?.task.title;`,
  ],
  [
    '@hey-api/openapi-ts@0.99.0',
    'openapi-ts -o client -c @hey-api/client-fetch -i',
    `import { client } from './client/client.gen';
import { createTask } from './client/sdk.gen';
client.setConfig({ baseUrl, headers });
const title = (await createTask({ body: ${task} })).data?.task.title;`,
  ],
  ['orval@7.21.0', 'orval --output client.ts --client fetch --input', orval],
  ['orval@8.38.0', 'orval --output client.ts --client fetch --input', orval],
  [
    'swagger-typescript-api@13.13.0',
    'swagger-typescript-api generate -o . -n client.ts -p',
    `import { Api } from './client';
const { api } = new Api({ baseUrl, baseApiParams: { headers } });
const title = (await api.createTask(${task})).data.task.title;`,
  ],
  [
    ['cli', 'core', 'plugin-client', 'plugin-oas', 'plugin-ts']
      .map((name) => `@kubb/${name}@4.39.3`)
      .join(' '),
    'kubb generate',
    `import { setConfig } from '@kubb/plugin-client/clients/fetch';
import { createTask } from './client';
setConfig({ baseURL: baseUrl, headers: { ...headers, 'Content-Type': 'application/json' } });
const title = (await createTask(${task})).task.title;`,
  ],
] as const;

/** Platforms, one for each generator. Each generates a client, compiles it, and creates a task with it. */
export const useGenerators = Object.fromEntries(
  generators.map(([packages, command, program]) => [
    `The contract, by ${packages}`,
    async ({ folder, server: { baseUrl, token } }: { folder: string; server: ServerAddress }) => {
      await shell(folder, 'npm', ...install, ...packages.split(' '), 'typescript@5.9.3');
      await writeFile(join(folder, 'kubb.config.js'), kubb);
      await shell(folder, 'npx', ...command.split(' '), contract);
      const start = `const [baseUrl, headers] = ['${baseUrl}', { Authorization: 'Bearer ${token}' }] as const;`;
      const end = `if (title !== 'Buy milk') throw new Error(title || 'No task.');\nconsole.log('used');\n`;
      await writeFile(join(folder, 'use.ts'), [start, program, end].join('\n'));
      await compile(folder, ['use.ts'], {
        lib: ['es2022', 'dom', 'dom.iterable'],
        // The generated code does not support this option.
        exactOptionalPropertyTypes: false,
        allowImportingTsExtensions: true,
        skipLibCheck: true,
      });
      await writeFile(join(folder, 'use.mjs'), await bundle('./use.ts', folder));
      return shell(folder, 'node', 'use.mjs');
    },
  ]),
);
