/** Memory that requests of many callers share. */
export interface ByteBudget {
  readonly used: () => number;
  /** Whether the caller may take that many bytes more. */
  readonly hasRoom: (callerId: string, bytes: number) => boolean;
  /** Counts bytes, also without room for them. Returns the function that gives them back, which works once. */
  readonly take: (callerId: string, bytes: number) => () => void;
}

// Two callers at their limit leave half of the memory to all others.
const sharesCount = 4;

/**
 * Bounds the memory that all callers take together, and to a quarter of it the memory that one caller takes. A caller
 * that has taken nothing may exceed its share, so that no single request is too large for ever.
 */
export function createByteBudget(bytesMax: number): ByteBudget {
  const usedByCaller = new Map<string, number>();
  let used = 0;
  const add = (callerId: string, bytes: number): void => {
    const left = (usedByCaller.get(callerId) ?? 0) + bytes;
    if (left === 0) usedByCaller.delete(callerId);
    else usedByCaller.set(callerId, left);
    used += bytes;
  };
  return {
    used: () => used,
    hasRoom: (callerId, bytes) => {
      const own = usedByCaller.get(callerId) ?? 0;
      const fitsShare = own === 0 || own + bytes <= bytesMax / sharesCount;
      return fitsShare && (used === 0 || used + bytes <= bytesMax);
    },
    take: (callerId, bytes) => {
      add(callerId, bytes);
      let isTaken = true;
      return () => {
        if (isTaken) add(callerId, -bytes);
        isTaken = false;
      };
    },
  };
}
