import { setTimeout as pause } from 'node:timers/promises';
import type { AgentsConfig } from '../../config/config.ts';
import type { Db } from '../../db/tables.ts';
import { every } from '../../lib/every.ts';
import { LeaseLost, type LeasedRun } from './lease.ts';
import { savePreview, type Preview } from './preview.ts';
import { claimTurn, endTurn, keepTurns, releaseTurns, repeatTurn, type Turn } from './turns.ts';

interface WorkersOptions {
  readonly db: Db;
  readonly config: Pick<AgentsConfig, 'concurrency' | 'keptWorkers'>;
  /** Aborts when the process shuts down. Workers then claim no more turns. */
  readonly shutdownSignal: AbortSignal;
  readonly onError: (error: unknown) => void;
}

/** A turn that a worker of this process works on. */
export interface ActiveTurn {
  readonly turn: Turn;
  /** Aborts with `LeaseLost` when the turn or its run is lost. */
  readonly lost: AbortController;
  /** The run that the worker executes; undefined once its result is recorded. */
  run?: LeasedRun | undefined;
  /** The message that the model of the run is writing; undefined once it is stored. */
  preview?: Preview | undefined;
  /** True while another turn may have the place of this turn, because the model is silent. */
  isLent: boolean;
}

/** Works on a turn. Resolves to false if the turn must be repeated. */
type Work = (active: ActiveTurn) => Promise<boolean>;

// A turn that another process has taken is noticed within this time.
const intervalMs = 1000;
const stopMs = 5000;
const servedMax = 1000;
// Each run needs memory and connections, so lent places raise the limit of a runtime to at most this multiple.
const lentFactor = 4;

/** Executes the turns of sessions. Each runtime has a number of workers of its own in each process. */
export class Workers {
  readonly #options: WorkersOptions;
  readonly #active = new Map<ActiveTurn, Promise<void>>();
  /** The users who have had a turn in this round. The round ends when one of them gets a second turn. */
  readonly #served = new Set<string>();
  readonly #stopped = new AbortController();
  #work: Work = () => Promise.resolve(false);
  #isAwake = false;
  #claiming: Promise<void> | undefined;

  constructor(options: WorkersOptions) {
    this.#options = options;
  }

  /** Rejects if this server may not write to the queue, for example because the database is read-only. */
  async start(work: Work): Promise<void> {
    const { db, onError } = this.#options;
    await keepTurns(db, []);
    this.#work = work;
    void every(intervalMs, this.#stopped.signal, () => this.#keepTurns(), onError);
    // Previews have their own loop, because their statements may wait for a lock, which would delay heartbeats.
    void every(intervalMs, this.#stopped.signal, () => this.#savePreviews(), onError);
    this.wake();
  }

  /** Lets free workers claim turns at once instead of within a second. Call it after a commit that adds a turn. */
  wake(): void {
    this.#isAwake = true;
    this.#claiming ??= this.#claimTurns();
  }

  async #keepTurns(): Promise<void> {
    this.wake();
    const active = [...this.#active.keys()];
    const turns = active.map(({ turn }) => turn);
    const kept = turns.length === 0 ? new Set() : await keepTurns(this.#options.db, turns);
    for (const { turn, lost } of active) if (!kept.has(turn.worker)) lost.abort(new LeaseLost());
  }

  async #savePreviews(): Promise<void> {
    for (const { run, preview } of this.#active.keys())
      if (run !== undefined && preview !== undefined) await savePreview(this.#options.db, run, preview);
  }

  async #claimTurns(): Promise<void> {
    const { shutdownSignal, onError } = this.#options;
    while (this.#isAwake && !shutdownSignal.aborted) {
      this.#isAwake = false;
      const turn = await this.#claimTurn().catch(onError);
      if (turn === undefined) continue;
      this.#isAwake = true;
      if (this.#served.has(turn.userId) || this.#served.size >= servedMax) this.#served.clear();
      this.#served.add(turn.userId);
      const active = { turn, lost: new AbortController(), isLent: false };
      this.#active.set(active, this.#workOn(active));
    }
    this.#claiming = undefined;
  }

  #claimTurn(): Promise<Turn | undefined> {
    const { db, config } = this.#options;
    const { concurrency, keptWorkers } = config;
    const activeByRuntime = Map.groupBy(this.#active.keys(), ({ turn }) => turn.runtime ?? '');
    const withAtLeast = (min: number): string[] =>
      [...activeByRuntime].flatMap(([runtime, active]) => {
        const lent = Math.min(active.filter(({ isLent }) => isLent).length, concurrency * (lentFactor - 1));
        return active.length - lent >= min ? [runtime] : [];
      });
    return claimTurn(db, withAtLeast(concurrency), withAtLeast(concurrency - keptWorkers), [...this.#served]);
  }

  async #workOn(active: ActiveTurn): Promise<void> {
    const { db, shutdownSignal, onError } = this.#options;
    const { turn } = active;
    try {
      if (await this.#work(active)) {
        const pauseMs = await endTurn(db, turn);
        // After a longer pause, the poll that runs every second claims the turn.
        if (pauseMs > 0 && pauseMs < intervalMs) setTimeout(this.wake.bind(this), pauseMs + 10).unref();
      } else await (shutdownSignal.aborted ? releaseTurns(db, [turn]) : repeatTurn(db, turn));
    } catch (error) {
      // Another worker claims the turn when its lock has expired.
      onError(error);
    }
    this.#active.delete(active);
    this.wake();
  }

  /** The number of runs of a runtime that this process is working on. */
  activeCount(runtime: string): number {
    return [...this.#active.keys()].filter(({ turn }) => turn.runtime === runtime).length;
  }

  findActive(runId: string): ActiveTurn | undefined {
    // If this process has lost the run and leased it again, the last turn has the lease.
    return [...this.#active.keys()].findLast(({ run }) => run?.id === runId);
  }

  /** Waits at most 5 seconds for the active turns, and releases the rest. */
  async stop(): Promise<void> {
    const { db, onError } = this.#options;
    const stopped = async (): Promise<void> => {
      await this.#claiming;
      await Promise.race([Promise.all(this.#active.values()), pause(stopMs, undefined, { ref: false })]);
      this.#stopped.abort();
      const turns = [...this.#active.keys()].map(({ turn }) => turn);
      if (turns.length > 0) await releaseTurns(db, turns).catch(onError);
    };
    // The statements take up to half a minute if the database does not respond.
    await Promise.race([stopped(), pause(7000, undefined, { ref: false })]);
  }
}
