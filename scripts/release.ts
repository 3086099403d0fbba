/**
 * Makes a release ready: checks that the versions agree, that the changelog tells of it, that the contract breaks no
 * client and that the package works, and keeps the contract as the baseline of the next one. With --check it only checks.
 * What clients may have been made with must not change: only with --again is the kept contract of a version replaced.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { complaintsAbout } from './release/complaints.ts';

const contract = 'server/src/generated/openapi.json';
const { version } = await readJson('sdk/package.json');
const kept = `openapi/released/${version}.json`;
const { check, again } = parseArgs({
  options: { check: { type: 'boolean' }, again: { type: 'boolean' } },
}).values;

const complaints = complaintsAbout({
  version,
  versions: {
    'package.json': (await readJson('package.json')).version,
    'server/package.json': (await readJson('server/package.json')).version,
    'openapi/openapi.yaml': (await readJson(contract)).info.version,
  },
  changelog: await readFile('sdk/CHANGELOG.md', 'utf8'),
  isKeptOtherwise:
    again !== true && existsSync(kept) && !(await readFile(kept)).equals(await readFile(contract)),
});
for (const complaint of complaints) console.error(complaint);

const checks = ['generate.ts --check', 'check-breaking.ts', 'check-package.ts'];
const failed = checks.filter((each) => !passes(each));
if (complaints.length + failed.length > 0) {
  console.error(`Not ready for release: ${[...complaints, ...failed].length} of the checks above failed.`);
  process.exitCode = 1;
} else if (check !== true) {
  await copyFile(contract, kept);
  console.log(`Ready. Commit ${kept}, then: npm publish --workspace @worktable/sdk`);
} else {
  console.log(`Version ${version} is ready for release.`);
}

function passes(check: string): boolean {
  const [script = '', ...args] = check.split(' ');
  return spawnSync(process.execPath, [`scripts/${script}`, ...args], { stdio: 'inherit' }).status === 0;
}

/** A manifest, or the contract. */
async function readJson(path: string): Promise<{ version: string; info: { version: string } }> {
  return JSON.parse(await readFile(path, 'utf8')) as { version: string; info: { version: string } };
}
