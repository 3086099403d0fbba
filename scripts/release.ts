/**
 * Prepares a release. Checks that the versions agree, that the changelog has an entry, that the contract breaks no
 * client and that the package works. Then stores the contract for comparison with later ones. With --check, only
 * checks. The stored contract of a version must not change, because clients may depend on it.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { unfilled, violations } from './release/violations.ts';

const contract = 'server/src/generated/openapi.json';
const manifest = await readJson('sdk/package.json');
const { version } = manifest;
const stored = `openapi/released/${version}.json`;
const { check } = parseArgs({ options: { check: { type: 'boolean' } } }).values;

const messages = violations({
  version,
  versions: {
    'package.json': (await readJson('package.json')).version,
    'server/package.json': (await readJson('server/package.json')).version,
    'server/charts/package.json': (await readJson('server/charts/package.json')).version,
    'openapi/openapi.yaml': (await readJson(contract)).info.version,
  },
  changelog: await readFile('sdk/CHANGELOG.md', 'utf8'),
  isStoredContractDifferent: existsSync(stored) && !(await readFile(stored)).equals(await readFile(contract)),
});
for (const message of messages) console.error(message);

const checks = ['check:contract', 'check:package'];
for (const field of unfilled(manifest))
  console.log(`sdk/package.json has no ${field}. Fill it in, if the package is published with an address.`);
const failed = checks.filter((each) => !passes(each));
if (messages.length + failed.length > 0) {
  console.error(`Not ready for release: ${[...messages, ...failed].length} of the checks above failed.`);
  process.exitCode = 1;
} else if (check !== true) {
  await mkdir('openapi/released', { recursive: true });
  await copyFile(contract, stored);
  console.log(`Ready. Commit ${stored}, then: npm publish --workspace @worktable/sdk`);
} else {
  console.log(`Version ${version} is ready for release.`);
}

function passes(check: string): boolean {
  return spawnSync('npm', ['run', '--silent', check], { stdio: 'inherit' }).status === 0;
}

/** Reads a manifest or the contract. */
async function readJson(path: string): Promise<{ version: string; info: { version: string } }> {
  return JSON.parse(await readFile(path, 'utf8')) as { version: string; info: { version: string } };
}
