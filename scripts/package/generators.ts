import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compile, type ServerAddress } from './program.ts';
import { shell } from './shell.ts';
import { bundle } from './tarball.ts';

// The tools of others get the contract from the package.
const contract = 'node_modules/@worktable/sdk/openapi.json';
const install = ['install', '--silent', '--no-audit', '--no-fund', '--ignore-scripts'];

/** Lints the contract with Spectral's rules for OpenAPI. */
export async function lintBySpectral(folder: string): Promise<string> {
  await shell(folder, 'npm', ...install, '@stoplight/spectral-cli@6.16.3');
  await writeFile(join(folder, '.spectral.yaml'), 'extends: ["spectral:oas"]\n');
  await shell(folder, 'node_modules/.bin/spectral', 'lint', contract, '--fail-severity', 'error');
  return 'used';
}

/** Generates a client with @hey-api/openapi-ts, and creates a task with it. */
export async function useHeyApi(folder: string, { baseUrl, token }: ServerAddress): Promise<string> {
  await shell(folder, 'npm', ...install, '@hey-api/openapi-ts@0.99.0', 'typescript@5.9.3');
  const args = ['-i', contract, '-o', 'client', '-c', '@hey-api/client-fetch'];
  await shell(folder, 'node_modules/.bin/openapi-ts', ...args);
  return compileAndRun(
    folder,
    `import { client } from './client/client.gen';
import { createTask } from './client/sdk.gen';
client.setConfig({ baseUrl: '${baseUrl}', auth: '${token}' });
const { data, error } = await createTask({ body: { title: 'Buy milk' } });
if (data?.task.title !== 'Buy milk') throw new Error(JSON.stringify(error));
console.log('used');
`,
  );
}

/** Generates a client with orval, and creates a task with it. */
export async function useOrval(folder: string, { baseUrl, token }: ServerAddress): Promise<string> {
  await shell(folder, 'npm', ...install, 'orval@8.38.0', 'typescript@5.9.3');
  const output = { target: 'client.ts', client: 'fetch', baseUrl };
  const config = JSON.stringify({ worktable: { input: contract, output } });
  await writeFile(join(folder, 'orval.config.mjs'), `export default ${config};\n`);
  await shell(folder, 'node_modules/.bin/orval', '--config', 'orval.config.mjs');
  return compileAndRun(
    folder,
    `import { createTask } from './client';
const response = await createTask({ title: 'Buy milk' }, { headers: { Authorization: 'Bearer ${token}' } });
if (response.status !== 201 || response.data.task.title !== 'Buy milk') throw new Error(JSON.stringify(response));
console.log('used');
`,
  );
}

async function compileAndRun(folder: string, program: string): Promise<string> {
  await writeFile(join(folder, 'use.ts'), program);
  const lib = ['es2022', 'dom', 'dom.iterable'];
  // The generated code does not support this option.
  await compile(folder, ['use.ts'], { lib, skipLibCheck: true, exactOptionalPropertyTypes: false });
  await writeFile(join(folder, 'use.mjs'), await bundle('./use.ts', folder));
  return shell(folder, 'node', 'use.mjs');
}
