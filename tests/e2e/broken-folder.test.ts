import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startProcess, type ServerProcess } from '../support/process.ts';
import { createDatabase, engine } from '../support/server.ts';
import { secret } from '../support/tokens.ts';

/** A way in which the data folder of a running server is broken. */
interface Breakage {
  /** A pattern for what the server says about it. */
  readonly sentence: (dataDir: string) => string;
  readonly breakFolder: (dataDir: string) => Promise<void>;
  /** Makes the folder whole again; undefined if its data is lost. */
  readonly mend?: (dataDir: string) => Promise<void>;
  /** True if Postgres needs what is broken only after many more writes. */
  readonly isNeededLater?: boolean;
}

/** Says that a part of the folder, which is given as a pattern, is gone. */
const gone = (part: string) => (dataDir: string) =>
  `${join(dataDir, part)} was deleted, moved or replaced while this process used it\\. If it held data, put it back or restore a backup before the next start`;

// Postgres creates a file of this name for the next 16 MB of its log.
const nextFile = 'pg_wal/xlogtemp.42';

const breakages: Readonly<Record<string, Breakage>> = {
  'the data folder is deleted': {
    // The files are deleted one after the other, so the server may name any of them.
    sentence: gone('database\\S*'),
    breakFolder: (dataDir) => rm(dataDir, { recursive: true, maxRetries: 10 }),
  },
  'pg_wal is moved away': {
    sentence: gone('database/pg_wal'),
    breakFolder: (dataDir) => rename(join(dataDir, 'database/pg_wal'), join(dataDir, 'moved')),
    mend: (dataDir) => rename(join(dataDir, 'moved'), join(dataDir, 'database/pg_wal')),
  },
  'the data folder is replaced by its copy': {
    sentence: gone('database'),
    breakFolder: async (dataDir) => {
      await cp(dataDir, `${dataDir}-copy`, { recursive: true });
      await rename(dataDir, `${dataDir}-moved`);
      await rename(`${dataDir}-copy`, dataDir);
    },
    mend: async (dataDir) => {
      await rm(dataDir, { recursive: true });
      await rename(`${dataDir}-moved`, dataDir);
    },
  },
  'Postgres panics': {
    sentence: () =>
      `the embedded database has failed: could not create file "${nextFile}": .+\\. Check the disk of DATA_DIR, and start again`,
    breakFolder: (dataDir) => mkdir(join(dataDir, 'database', nextFile)),
    mend: (dataDir) => rm(join(dataDir, 'database', nextFile), { recursive: true }),
    isNeededLater: true,
  },
};

describe.runIf(engine === 'pglite').concurrent.each(Object.entries(breakages))(
  'while %s, a server',
  (_, { sentence, breakFolder, mend, isNeededLater = false }) => {
    it('with four writers exits with 1 before it acknowledges a write that is lost', async () => {
      const { server, env } = await startServer();
      const writers = await startWriters(
        server,
        isNeededLater ? { description: randomBytes(45_000).toString('base64') } : {},
      );
      await writers.haveWritten(20);

      await breakFolder(env.DATA_DIR);
      writers.expectNoMore();

      expect(await server.exited).toBe(1);
      expect(sentences(server)).toEqual([
        expect.stringMatching(`^This process has ended, because ${sentence(env.DATA_DIR)}\\.$`),
      ]);
      const { acknowledged, late } = await writers.stopped;
      if (!isNeededLater) expect(late).toEqual([]);
      if (mend === undefined) return;
      await mend(env.DATA_DIR);
      const alice = await (await startProcess(env)).as('alice');
      for (const id of acknowledged) await alice.ok('getTask', { id });
    });
  },
);

async function startServer(): Promise<{ server: ServerProcess; env: { DATA_DIR: string } }> {
  const database = await createDatabase();
  const env = { DATA_DIR: database.env['DATA_DIR'] ?? '', JWT_SECRET: secret, LOG_LEVEL: 'warn' };
  return { server: await startProcess(env), env };
}

function sentences(server: ServerProcess): string[] {
  return server
    .output()
    .split('\n')
    .filter((line) => line.startsWith('This process has ended'));
}

/** Starts four writers. Each creates one task after the other, until a request fails. */
async function startWriters(server: ServerProcess, fields: object = {}) {
  const alice = await server.as('alice');
  const acknowledged: string[] = [];
  const late: string[] = [];
  const progress = new EventEmitter();
  let isBroken = false;
  const write = async (): Promise<void> => {
    for (;;) {
      const wasBroken = isBroken;
      const answer = await alice.ok('createTask', { body: { title: 'A write', ...fields } });
      acknowledged.push(answer.body.task.id);
      progress.emit('write');
      if (wasBroken) late.push(answer.body.task.id);
    }
  };
  const stopped = Promise.allSettled(Array.from({ length: 4 }, write));
  return {
    /** Resolves when at least this many writes were acknowledged. */
    haveWritten: async (count: number) => {
      while (acknowledged.length < count) await once(progress, 'write');
    },
    /** If the server acknowledges a write that is sent after this call, the write counts as late. */
    expectNoMore: () => {
      isBroken = true;
    },
    /** Resolves to the ids of the acknowledged tasks when the server can no longer be reached. */
    stopped: stopped.then(() => ({ acknowledged, late })),
  };
}
