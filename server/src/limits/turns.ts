// A pause of this length is enough for an ordinary request.
const pauseMsMax = 10;

/** Runs a caller's work when it is the caller's turn. */
type InTurn = <Result>(callerId: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * Runs one piece of work at a time, each in its own turn of the event loop. A pause follows, so that the server can
 * answer other requests. It is as long as the work took, including what depends on it, but at most 10 ms. Callers take
 * turns, so that a caller does not wait for all work of another.
 */
export function createTurns(): InTurn {
  // A map, because it keeps its keys in the order of insertion.
  const waiting = new Map<string, (() => Promise<void>)[]>();
  let isRunning = false;
  const runNext = async (): Promise<void> => {
    const [next] = waiting;
    isRunning = next !== undefined;
    if (next === undefined) return;
    const [callerId, works] = next;
    const work = works.shift();
    waiting.delete(callerId);
    if (works.length > 0) waiting.set(callerId, works);
    const startMs = performance.now();
    await work?.();
    // What depends on the work is resolved before the event loop's next turn.
    setImmediate(() => setTimeout(() => void runNext(), Math.min(performance.now() - startMs, pauseMsMax)));
  };
  return (callerId, work) =>
    new Promise((resolve, reject) => {
      const works = waiting.get(callerId) ?? [];
      works.push(() => work().then(resolve, reject));
      waiting.set(callerId, works);
      if (isRunning) return;
      isRunning = true;
      setImmediate(() => void runNext());
    });
}
