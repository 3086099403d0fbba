import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import contract from '../../../server/src/generated/openapi.json' with { type: 'json' };
import { createFolder } from '../../support/folder.ts';

const script = join(import.meta.dirname, '../../../scripts/check-breaking.ts');

/** Compares a document with a release of the repository's contract. An older release must not matter. */
export async function check(
  current: object,
  approvals = '# None.\n',
  ...args: string[]
): Promise<{ status: number | null; output: string }> {
  const folder = await createFolder();
  for (const path of ['server/src/generated', 'openapi/released'])
    await mkdir(join(folder, path), { recursive: true });
  const files = {
    'server/src/generated/openapi.json': JSON.stringify(current),
    'openapi/released/0.10.0.json': JSON.stringify(contract),
    'openapi/released/0.9.0.json': '{}',
    'openapi/approved-breaks.yaml': approvals,
  };
  for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text);
  return run(folder, ...args);
}

/** Runs the check in a folder. */
export function run(folder: string, ...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}
