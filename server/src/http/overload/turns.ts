/** Runs some work when earlier work has ended. */
type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Runs one piece of work after the other, each in a turn of the event loop of its own: between two of them, the server
 * answers the other requests that have arrived.
 */
export function createTurns(): InTurn {
  const waiting: (() => Promise<unknown>)[] = [];
  const runNext = async (): Promise<void> => {
    await waiting[0]?.();
    waiting.shift();
    if (waiting.length > 0) setImmediate(() => void runNext());
  };
  return (work) =>
    new Promise((resolve, reject) => {
      waiting.push(() => work().then(resolve, reject));
      if (waiting.length === 1) setImmediate(() => void runNext());
    });
}
