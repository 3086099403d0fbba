import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'tsdown';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** Builds the package into an empty project with msw. Resolves to the folder of the project. */
export async function createProject(): Promise<string> {
  const project = await mkdtemp(join(tmpdir(), 'worktable-project-'));
  const sdk = join(project, 'node_modules/@worktable/sdk');
  await mkdir(sdk, { recursive: true });
  await Promise.all([
    cp(join(root, 'sdk/package.json'), join(sdk, 'package.json')),
    symlink(join(root, 'node_modules/msw'), join(project, 'node_modules/msw')),
    build({ cwd: join(root, 'sdk'), outDir: join(sdk, 'dist'), dts: false, logLevel: 'warn' }),
    node(root, join(root, 'scripts/pack-contract.ts'), sdk),
  ]);
  return project;
}

/** Runs a script in a folder. Resolves to its output. */
export async function node(folder: string, ...args: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, args, { cwd: folder });
  return stdout;
}
