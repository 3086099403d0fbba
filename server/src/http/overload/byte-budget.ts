import { CallerAmounts } from '../../caller-share.ts';

/** Memory that the requests of all callers share. */
export interface ByteBudget {
  readonly used: () => number;
  /** Whether the caller may take this many more bytes; with 0, whether it is within its share. */
  readonly hasRoom: (callerId: string, bytes: number) => boolean;
  /** Counts bytes, even if there is no room. Returns the function that releases them; calling it again does nothing. */
  readonly take: (callerId: string, bytes: number) => () => void;
}

// Two callers at their limit leave half of the memory to the others.
const sharesCount = 4;

/**
 * Bounds the memory that all callers take together, and the memory of one caller to a quarter of that. A caller that has
 * taken nothing may exceed its quarter: otherwise a single large request could never be accepted.
 */
export function createByteBudget(bytesMax: number): ByteBudget {
  const used = new CallerAmounts();
  return {
    used: () => used.total,
    hasRoom: (callerId, bytes) => {
      const callerUsed = used.of(callerId);
      const fitsShare = callerUsed === 0 || callerUsed + bytes <= bytesMax / sharesCount;
      return fitsShare && (used.total === 0 || used.total + bytes <= bytesMax);
    },
    take: (callerId, bytes) => {
      used.add(callerId, bytes);
      let isTaken = true;
      return () => {
        if (isTaken) used.add(callerId, -bytes);
        isTaken = false;
      };
    },
  };
}
