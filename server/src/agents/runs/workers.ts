import { setTimeout as pause } from 'node:timers/promises';
import type { AgentsConfig } from '../../config/config.ts';
import type { Db } from '../../db/tables.ts';
import { every } from '../../lib/every.ts';
import { claimTurn, endTurn, keepTurns, releaseTurns, repeatTurn, type Turn } from './turns.ts';

interface WorkersOptions {
  readonly db: Db;
  readonly config: Pick<AgentsConfig, 'concurrency' | 'keptWorkers'>;
  /** Aborts when the process shuts down. Workers then claim no more turns. */
  readonly shutdownSignal: AbortSignal;
  readonly onError: (error: unknown) => void;
}

/** Works on a turn. Resolves to false if the turn must be repeated. */
type Work = (turn: Turn) => Promise<boolean>;

const pollMs = 1000;
const heartbeatMs = 5000;
const stopMs = 5000;
const servedMax = 1000;
// Each run needs memory and connections, so lent places raise the limit of a runtime at most this many times.
const lentFactor = 4;

/** Executes the turns of sessions. Each runtime has a number of workers of its own in each process. */
export class Workers {
  readonly #options: WorkersOptions;
  readonly #active = new Map<Turn, Promise<void>>();
  readonly #lent = new Set<Turn>();
  /** The users who have had a turn in this round. */
  readonly #served = new Set<string>();
  readonly #stopped = new AbortController();
  #work: Work | undefined;
  #isAwake = false;
  #claiming: Promise<void> | undefined;

  constructor(options: WorkersOptions) {
    this.#options = options;
  }

  /** Rejects if this server may not write to the queue, for example because the database is read-only. */
  async start(work: Work): Promise<void> {
    const { db, shutdownSignal, onError } = this.#options;
    await keepTurns(db, []);
    this.#work = work;
    const beat = async (): Promise<void> => {
      if (this.#active.size > 0) await keepTurns(db, [...this.#active.keys()]);
    };
    void every(heartbeatMs, this.#stopped.signal, beat, onError);
    void every(pollMs, shutdownSignal, this.wake.bind(this), onError);
    this.wake();
  }

  /** Lets free workers claim turns at once instead of within a second. Call it after a commit that adds a turn. */
  wake(): void {
    this.#isAwake = true;
    this.#claiming ??= this.#claimTurns();
  }

  async #claimTurns(): Promise<void> {
    const { shutdownSignal, onError } = this.#options;
    while (this.#isAwake && !shutdownSignal.aborted) {
      this.#isAwake = false;
      const turn = await this.#claimTurn().catch(onError);
      if (turn === undefined) continue;
      this.#isAwake = true;
      this.#active.set(turn, this.#workOn(turn));
    }
    this.#claiming = undefined;
  }

  async #claimTurn(): Promise<Turn | undefined> {
    const { db, config } = this.#options;
    const runtimes = [...new Set([...this.#active.keys()].map(({ runtime }) => runtime ?? ''))];
    const lentMax = config.concurrency * (lentFactor - 1);
    const withMoreThan = (max: number): string[] =>
      runtimes.filter((runtime) => {
        const [active, lent] = [this.activeCount(runtime), this.activeCount(runtime, this.#lent)];
        return active - Math.min(lent, lentMax) >= max;
      });
    const turn = await claimTurn(db, {
      full: withMoreThan(config.concurrency),
      kept: withMoreThan(config.concurrency - config.keptWorkers),
      served: [...this.#served],
    });
    if (turn === undefined) return undefined;
    if (this.#served.has(turn.userId) || this.#served.size >= servedMax) this.#served.clear();
    this.#served.add(turn.userId);
    return turn;
  }

  async #workOn(turn: Turn): Promise<void> {
    const { db, shutdownSignal, onError } = this.#options;
    try {
      if ((await this.#work?.(turn)) === true) {
        const pauseMs = await endTurn(db, turn);
        // A longer pause ends at a poll.
        if (pauseMs > 0 && pauseMs < pollMs) setTimeout(this.wake.bind(this), pauseMs + 10).unref();
      } else await (shutdownSignal.aborted ? releaseTurns(db, [turn]) : repeatTurn(db, turn));
    } catch (error) {
      // Another worker claims the turn when its lock has expired.
      onError(error);
    }
    this.#active.delete(turn);
    this.wake();
  }

  /** Lets another turn have the place of the worker of a turn, until the returned function is called. */
  lendPlace(turn: Turn): () => void {
    this.#lent.add(turn);
    this.wake();
    return () => {
      this.#lent.delete(turn);
    };
  }

  /** The number of runs of a runtime that this process is working on. */
  activeCount(runtime: string, turns: Iterable<Turn> = this.#active.keys()): number {
    return [...turns].filter((turn) => (turn.runtime ?? '') === runtime).length;
  }

  /** Waits at most 5 seconds for the active turns, and releases the rest. */
  async stop(): Promise<void> {
    const { db, onError } = this.#options;
    const stopped = async (): Promise<void> => {
      await this.#claiming;
      await Promise.race([Promise.all(this.#active.values()), pause(stopMs, undefined, { ref: false })]);
      this.#stopped.abort();
      if (this.#active.size > 0) await releaseTurns(db, [...this.#active.keys()]).catch(onError);
    };
    // The statements take up to half a minute if the database does not respond.
    await Promise.race([stopped(), pause(7000, undefined, { ref: false })]);
  }
}
