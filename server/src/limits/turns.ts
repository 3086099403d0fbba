/** Runs the work of a caller when it is its turn. */
type InTurn = <Result>(callerId: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * Runs one piece of work after the other, each in its own turn of the event loop: between two of them, the server answers
 * the other requests that have arrived. The callers take turns, so that the work of one does not wait for all of another's.
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
    await work?.();
    setImmediate(() => void runNext());
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
