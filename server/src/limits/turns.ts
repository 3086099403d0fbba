// A pause of this length has room for an ordinary request.
const pauseMsMax = 10;

/** Runs the work of a caller in its turn. */
type InTurn = <Result>(callerId: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * Runs one piece of work after the other, each in its own turn of the event loop. A pause follows, in which the server
 * answers other requests. It is as long as the work and what depends on it took, at most 10 ms. Callers take turns, so
 * that the work of one does not wait for all work of another.
 */
export function createTurns(): InTurn {
  // A map keeps the order in which its keys were added.
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
    // The promises that depend on the work are resolved before the event loop takes its next turn.
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
