import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartupError } from '../lib/startup-error.ts';

const keyBytes = 32;

/**
 * The random secret that signs and verifies tokens if no key is configured. The first call creates it, readable only by
 * the owner of the process.
 */
export async function readLocalKey(dataDir: string): Promise<Uint8Array> {
  const file = fileOf(dataDir);
  return usableKey(dataDir, await readOrCreate(dataDir, file).catch(throwUnusable(file)));
}

/** Returns the key if it is complete and private. */
async function usableKey(dataDir: string, key: Uint8Array): Promise<Uint8Array> {
  const file = fileOf(dataDir);
  assertKeyLength(file, key);
  await assertPrivate(dataDir, 0o007);
  await assertPrivate(file, 0o077);
  return key;
}

/**
 * Throws if a file or folder belongs to another user, or another user has one of these rights, because that user could
 * sign tokens.
 */
async function assertPrivate(path: string, rights: number): Promise<void> {
  const { uid, mode } = await stat(path);
  if ((process.getuid === undefined || uid === process.getuid()) && (mode & rights) === 0) return;
  throw new StartupError(
    `Other users of this machine may use ${path}. Make it belong to the user of this process, and run \`chmod go-rwx ${path}\`.`,
  );
}

/** The existing secret, for signing. Never creates one, because no server would accept its tokens. */
export async function findLocalKey(dataDir: string): Promise<Uint8Array> {
  const file = fileOf(dataDir);
  const key = await readFile(file).catch(ignoreCode('ENOENT')).catch(throwUnusable(file));
  if (key !== undefined) return usableKey(dataDir, key);
  throw new StartupError(
    `No key found in ${dataDir}. Start the server first, or set the same DATA_DIR or JWT_SECRET as the server.`,
  );
}

function fileOf(dataDir: string): string {
  return join(dataDir, 'token.key');
}

function throwUnusable(file: string): (cause: unknown) => never {
  return (cause) => {
    throw new StartupError(
      `The local key ${file} cannot be used: ${String(cause)}. Make DATA_DIR a folder that this user may write to, or set JWT_SECRET.`,
      { cause },
    );
  };
}

function assertKeyLength(file: string, key: Uint8Array): void {
  if (key.length === keyBytes) return;
  throw new StartupError(
    `The local key ${file} must hold ${keyBytes} bytes, but it has ${key.length}. Remove it; the next start creates a new one.`,
  );
}

async function readOrCreate(dataDir: string, file: string): Promise<Uint8Array> {
  const existing = await readFile(file).catch(ignoreCode('ENOENT'));
  if (existing !== undefined) return existing;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await create(file);
  return readFile(file);
}

/**
 * Safe if several processes start at the same time: `link` publishes the complete file, and fails if it already exists.
 */
async function create(file: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, randomBytes(keyBytes), { flag: 'wx', mode: 0o600, flush: true });
    await link(draft, file).catch(ignoreCode('EEXIST'));
  } finally {
    await rm(draft, { force: true });
  }
}

/** Returns a handler for `catch` that ignores errors with this code. */
function ignoreCode(code: string): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof Error && 'code' in error && error.code === code) return undefined;
    throw error;
  };
}
