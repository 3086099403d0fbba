import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TokenConfig } from '../config/config.ts';
import { StartupError } from '../lib/startup-error.ts';
import { keysAt, keysOfIssuer, type VerifyingKeys } from './issuer-keys.ts';

/**
 * The configured keys, or the random key in the data folder if none is configured. `onFetched` is called after each
 * fetch of an issuer's keys, with the error of a failed fetch.
 */
export async function verifyingKeys(
  { secret, previousSecret, jwksUrl, issuer }: TokenConfig,
  dataDir: string,
  onFetched: (failure: unknown) => void = () => undefined,
): Promise<VerifyingKeys> {
  if (jwksUrl !== undefined) return keysAt(jwksUrl, onFetched);
  if (secret === undefined && issuer !== undefined) return keysOfIssuer(issuer, onFetched);
  const secrets = [secret, previousSecret].flatMap((each) => (each === undefined ? [] : Buffer.from(each)));
  return { keys: secrets.length === 0 ? [await readLocalKey(dataDir)] : secrets, algorithms: ['HS256'] };
}

/**
 * The shared secret that signs tokens; undefined if the server can only verify tokens. Never creates a secret, because
 * no server would accept a token that is signed with it.
 */
export async function signingKey(
  { secret, jwksUrl, issuer }: TokenConfig,
  dataDir: string,
): Promise<Uint8Array | undefined> {
  if (secret !== undefined) return Buffer.from(secret);
  return jwksUrl === undefined && issuer === undefined ? readLocalKey(dataDir, false) : undefined;
}

const localKeyBytes = 32;

/**
 * The random secret that signs and verifies tokens if no key is configured. If it is missing and `mayCreate` is true,
 * creates it in a file that only the user of this process may read.
 */
export async function readLocalKey(dataDir: string, mayCreate = true): Promise<Uint8Array> {
  const file = join(dataDir, 'token.key');
  const key = await findKey(file, mayCreate).catch((cause: unknown) => {
    throw new StartupError(
      `The local key ${file} cannot be used: ${String(cause)}. Make DATA_DIR a folder that this user may write to, or set JWT_SECRET.`,
      { cause },
    );
  });
  if (key === undefined)
    throw new StartupError(
      `No key found in ${dataDir}. Start the server first, or set the same DATA_DIR or JWT_SECRET as the server.`,
    );
  if (key.length !== localKeyBytes)
    throw new StartupError(
      `The local key ${file} must hold ${localKeyBytes} bytes, but it has ${key.length}. Remove it; the next start creates a new one.`,
    );
  await assertPrivate(dataDir, 0o007);
  await assertPrivate(file, 0o077);
  return key;
}

/** The key in a file. If there is none and `mayCreate`, creates it and its folder. */
async function findKey(file: string, mayCreate: boolean): Promise<Uint8Array | undefined> {
  const key = await readFile(file).catch(ignoreCode('ENOENT'));
  if (key !== undefined || !mayCreate) return key;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  // Several processes may start at the same time: `link` publishes the complete file, and fails if a file exists.
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, randomBytes(localKeyBytes), { flag: 'wx', mode: 0o600, flush: true });
    await link(draft, file).catch(ignoreCode('EEXIST'));
  } finally {
    await rm(draft, { force: true });
  }
  return readFile(file);
}

/** Returns a handler for `catch` that ignores errors with this code. */
function ignoreCode(code: string): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof Error && 'code' in error && error.code === code) return undefined;
    throw error;
  };
}

/** Throws if a file or folder belongs to another user, or if its mode has one of the bits in `rights`. */
async function assertPrivate(path: string, rights: number): Promise<void> {
  const { uid, mode } = await stat(path);
  if ((process.getuid === undefined || uid === process.getuid()) && (mode & rights) === 0) return;
  throw new StartupError(
    `Other users of this machine may use ${path}. Make it belong to the user of this process, and run \`chmod go-rwx ${path}\`.`,
  );
}
