import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The random secret that signs and verifies tokens where no key is configured. The first call creates it, readable
 * by the owner of the process only.
 */
export async function readLocalKey(dataDir: string): Promise<Uint8Array> {
  const file = join(dataDir, 'token.key');
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  // Two processes may start at once: only one creates the file, and both read what is in it.
  await writeFile(file, randomBytes(32), { flag: 'wx', mode: 0o600 }).catch(() => undefined);
  const key = await readFile(file);
  if (key.length === 32) return key;
  throw new Error(`The local key ${file} must hold 32 bytes. Remove it; the next start makes a new one.`);
}
