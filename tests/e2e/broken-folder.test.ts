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
  /** A pattern for the part of the folder that the server names. */
  readonly part: string;
  readonly breakFolder: (dataDir: string) => Promise<void>;
  /** Makes the folder whole again; undefined if its data is lost. */
  readonly mend?: (dataDir: string) => Promise<void>;
}

const breakages: Readonly<Record<string, Breakage>> = {
  'the data folder is deleted': {
    // The files are deleted one after the other, so the server may name any of them.
    part: 'database\\S*',
    breakFolder: (dataDir) => rm(dataDir, { recursive: true, maxRetries: 10 }),
  },
  'pg_wal is moved away': {
    part: 'database/pg_wal',
    breakFolder: (dataDir) => rename(join(dataDir, 'database/pg_wal'), join(dataDir, 'moved')),
    mend: (dataDir) => rename(join(dataDir, 'moved'), join(dataDir, 'database/pg_wal')),
  },
  'the data folder is replaced by its copy': {
    part: 'database',
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
};

describe.runIf(engine === 'pglite').concurrent.each(Object.entries(breakages))(
  'while %s, a server',
  (_, { part, breakFolder, mend }) => {
    it('under four writers ends with 1 before it acknowledges another write', async () => {
      const { server, env } = await startServer();
      const writers = await startWriters(server);
      await writers.haveWritten(20);

      await breakFolder(env.DATA_DIR);
      writers.expectNoMore();

      expect(await server.exited).toBe(1);
      expect(sentences(server)).toEqual([sentenceAbout(env.DATA_DIR, part)]);
      const { acknowledged, late } = await writers.stopped;
      expect(late).toEqual([]);
      if (mend === undefined) return;
      await mend(env.DATA_DIR);
      const alice = await (await startProcess(env)).as('alice');
      for (const id of acknowledged) await alice.ok('getTask', { id });
    });
  },
);

it.runIf(engine === 'pglite')(
  'a server whose Postgres panics ends with 1, and its next start has every acknowledged write',
  async () => {
    const { server, env } = await startServer();
    // Postgres creates a file of this name for the next 16 MB of its log.
    const obstacle = join(env.DATA_DIR, 'database/pg_wal/xlogtemp.42');
    await mkdir(obstacle);
    const writers = await startWriters(server, { description: randomBytes(45_000).toString('base64') });

    expect(await server.exited).toBe(1);
    expect(sentences(server)).toEqual([
      expect.stringMatching(
        /^This process has ended, because the embedded database has failed: could not create file "pg_wal\/xlogtemp\.42": .+\. Check the disk of DATA_DIR, and start again\.$/,
      ),
    ]);
    const { acknowledged } = await writers.stopped;
    await rm(obstacle, { recursive: true });
    const alice = await (await startProcess(env)).as('alice');
    for (const id of acknowledged) await alice.ok('getTask', { id });
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

function sentenceAbout(dataDir: string, part: string): unknown {
  return expect.stringMatching(
    `^This process has ended, because ${join(dataDir, part)} was deleted, moved or replaced while this process used it\\. If it held data, put it back or restore a backup before the next start\\.$`,
  );
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
