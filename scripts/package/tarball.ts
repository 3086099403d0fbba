import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { rolldown } from 'rolldown';
import { shell } from './shell.ts';

export const sdkFolder = join(import.meta.dirname, '../../sdk');
const gzipBytesMax = 9_000;

/** Builds the SDK and packs what would be published; resolves to the file. */
export async function packSdk(folder: string): Promise<string> {
  await shell(sdkFolder, 'tsdown');
  const name = await shell(sdkFolder, 'npm', 'pack', '--silent', '--pack-destination', folder);
  return join(folder, name.trim());
}

/** Everything that the linters of packages say about the tarball. */
export async function lintTarball(file: string): Promise<string[]> {
  const bytes = await readFile(file);
  const manifest = JSON.parse(await readFile(join(sdkFolder, 'package.json'), 'utf8')) as object;
  const linted = await publint({
    strict: true,
    pack: { tarball: new Uint8Array(bytes).buffer },
  });
  const types = await checkPackage(createPackageFromTarballData(new Uint8Array(bytes)));
  return [
    ...linted.messages.map((message) => `publint: ${formatMessage(message, manifest) ?? message.code}`),
    ...(types.types === false ? ['attw: the package has no types'] : []),
    ...('problems' in types ? types.problems.map((problem) => `attw: ${JSON.stringify(problem)}`) : []),
  ];
}

/** What the built code must not have, and its size with openapi-fetch in it. */
export async function inspectBuild(): Promise<{ complaints: string[]; gzipBytes: number }> {
  const complaints: string[] = [];
  for (const name of ['index.mjs', 'index.cjs', 'index.d.mts', 'index.d.cts']) {
    const text = await readFile(join(sdkFolder, 'dist', name), 'utf8');
    if (/['"]node:/.test(text)) complaints.push(`${name} imports from Node.`);
    if (name.includes('.d.') && text.includes('openapi-fetch'))
      complaints.push(`${name} tells of openapi-fetch.`);
  }
  const gzipBytes = gzipSync(await bundle(join(sdkFolder, 'dist/index.mjs'), sdkFolder)).length;
  if (gzipBytes > gzipBytesMax)
    complaints.push(`It has ${gzipBytes} bytes by gzip, but may have ${gzipBytesMax}.`);
  return { complaints, gzipBytes };
}

/** The module with all it imports in one minified file for browsers. */
export async function bundle(input: string, cwd: string): Promise<string> {
  const build = await rolldown({ input, cwd, platform: 'browser' });
  const { output } = await build.generate({ format: 'esm', minify: true });
  return output[0].code;
}
