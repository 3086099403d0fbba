import { existsSync } from 'node:fs';
import { cp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { checkPackage, createPackageFromTarballData, type Problem } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { rolldown } from 'rolldown';
import { shell } from './shell.ts';

const root = join(import.meta.dirname, '../..');
export const sdkFolder = join(root, 'sdk');
const gzipBytesMax = 11_500;

export interface Tarballs {
  readonly sdk: string;
  readonly server: string;
  readonly charts: string;
}

/** Packs SDK, server and charts from an unbuilt copy of the repository. Resolves to the paths of the tarballs. */
export async function pack(folder: string): Promise<Tarballs> {
  const copy = join(folder, 'clone');
  const files = await shell(root, 'git', 'ls-files', '--cached', '--others', '--exclude-standard', '-z');
  for (const file of files.split('\0').filter((each) => each !== '' && existsSync(join(root, each))))
    await cp(join(root, file), join(copy, file));
  // Stands in for `npm ci`.
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  const packOne = async (...names: string[]): Promise<string> => {
    const options = ['--silent', '--pack-destination', folder];
    const output = await shell(copy, 'npm', 'pack', ...options, ...names);
    return join(folder, output.trim().split('\n').at(-1) ?? '');
  };
  await shell(copy, 'npm', 'run', '--silent', 'build', '--workspace', '@worktable/charts');
  const tarballs = {
    sdk: await packOne('--workspace', '@worktable/sdk'),
    server: await packOne('--workspace', '@worktable/server'),
    charts: await packOne('./server/charts/dist'),
  };
  // Replace sdk/dist of the repository, which tests and `inspectBuild` read.
  await rm(join(sdkFolder, 'dist'), { recursive: true, force: true });
  await cp(join(copy, 'sdk/dist'), join(sdkFolder, 'dist'), { recursive: true });
  return tarballs;
}

/** All problems that publint and attw report about a tarball. */
export async function lintTarball(file: string): Promise<string[]> {
  const tarball = new Uint8Array(await readFile(file));
  const { messages, pkg } = await publint({ strict: true, pack: { tarball: tarball.buffer } });
  const types = await checkPackage(createPackageFromTarballData(tarball));
  return [
    ...messages.map((message) => `publint: ${formatMessage(message, pkg) ?? message.code}`),
    ...(types.types === false ? ['attw: the package has no types'] : []),
    ...('problems' in types ? types.problems : [])
      .filter((problem) => !isExpected(problem))
      .map((problem) => `attw: ${JSON.stringify(problem)}`),
  ];
}

/**
 * Returns true for two harmless problems. The resolution "node10" does not know `exports`, and TypeScript 7 does not
 * support it. The charts need Node 24, where CommonJS can load ES modules.
 */
function isExpected(problem: Problem): boolean {
  const isOldResolution = 'resolutionKind' in problem && problem.resolutionKind === 'node10';
  return isOldResolution || problem.kind === 'CJSResolvesToESM';
}

/** Finds unwanted imports in the built code, and measures its size including openapi-fetch. */
export async function inspectBuild(): Promise<{ violations: string[]; gzipBytes: number }> {
  const violations: string[] = [];
  for (const name of await readdir(join(sdkFolder, 'dist'))) {
    const text = await readFile(join(sdkFolder, 'dist', name), 'utf8');
    if (/['"]node:/.test(text)) violations.push(`${name} imports from Node.`);
    if (name.includes('.d.') && text.includes('openapi-fetch'))
      violations.push(`${name} mentions openapi-fetch.`);
  }
  const gzipBytes = gzipSync(await bundle(join(sdkFolder, 'dist/index.mjs'), sdkFolder)).length;
  if (gzipBytes > gzipBytesMax)
    violations.push(`The build has ${gzipBytes} bytes after gzip; the limit is ${gzipBytesMax}.`);
  return { violations, gzipBytes };
}

/** Bundles a module and all its imports into one minified file for browsers. */
export async function bundle(input: string, cwd: string): Promise<string> {
  const build = await rolldown({ input, cwd, platform: 'browser' });
  const { output } = await build.generate({ format: 'esm', minify: true });
  return output[0].code;
}
