import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartupError } from '../environment.ts';

const keyBytes = 32;

/**
 * The random secret that signs and verifies tokens where no key is configured. The first call creates it, readable
 * by the owner of the process only.
 */
export async function readLocalKey(dataDir: string): Promise<Uint8Array> {
  const file = fileOf(dataDir);
  return whole(file, await readOrCreate(dataDir, file).catch(unusable(file)));
}

/** The same secret where a server has made it, for who signs: no server accepts what a new key has signed. */
export async function findLocalKey(dataDir: string): Promise<Uint8Array> {
  const file = fileOf(dataDir);
  const key = await readFile(file).catch(unless('ENOENT')).catch(unusable(file));
  if (key !== undefined) return whole(file, key);
  throw new StartupError(
    `There is no key in ${dataDir}; start the server first, or set the DATA_DIR or JWT_SECRET that it has.`,
  );
}

function fileOf(dataDir: string): string {
  return join(dataDir, 'token.key');
}

function unusable(file: string): (cause: unknown) => never {
  return (cause) => {
    throw new StartupError(
      `The local key ${file} cannot be used: ${String(cause)}. Make DATA_DIR a folder that this user may write to, or set JWT_SECRET.`,
      { cause },
    );
  };
}

function whole(file: string, key: Uint8Array): Uint8Array {
  if (key.length === keyBytes) return key;
  throw new StartupError(
    `The local key ${file} must hold ${keyBytes} bytes, but it has ${key.length}. Remove it; the next start makes a new one.`,
  );
}

async function readOrCreate(dataDir: string, file: string): Promise<Uint8Array> {
  const known = await readFile(file).catch(unless('ENOENT'));
  if (known !== undefined) return known;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await create(file);
  return readFile(file);
}

/** Two processes may start at once: the file gets its name when it is whole, and only the first to name it does. */
async function create(file: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, randomBytes(keyBytes), { flag: 'wx', mode: 0o600, flush: true });
    await link(draft, file).catch(unless('EEXIST'));
  } finally {
    await rm(draft, { force: true });
  }
}

/** Lets a failure with this code pass. */
function unless(code: string): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof Error && 'code' in error && error.code === code) return undefined;
    throw error;
  };
}
