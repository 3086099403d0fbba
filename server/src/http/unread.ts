import type { Context } from 'koa';
import { overloaded } from '../errors.ts';
import type { OperationId } from '../operations.ts';
import type { WireReply } from './idempotency.ts';
import type { RequestState } from './state.ts';

/** The large answers that clients have not read yet, which the memory holds until they do. */
export interface Unread {
  readonly bytes: () => number;
  /** Whether they fill their room, so that no request may add to them. */
  readonly areFull: () => boolean;
  /** Counts the answer to a request until its connection has taken it. One that is without effect may be refused. */
  readonly hold: (ctx: Context, reply: WireReply) => void;
}

// Below this an answer is likely to fit into the buffers of its connection.
const smallLengthMax = 256 * 1024;

/**
 * Answers to requests without effect may fill only half of the room, so that whoever asks for large ones and reads none of
 * them keeps nobody else from theirs.
 */
export function createUnread(bytesMax: number): Unread {
  let unread = 0;
  return {
    bytes: () => unread,
    areFull: () => unread >= bytesMax,
    hold: (ctx, reply) => {
      if (typeof ctx.body !== 'string' || ctx.body.length <= smallLengthMax || ctx.res.closed) return;
      const bytes = ctx.response.length;
      // One answer always has room, however large it is.
      if (unread > 0 && unread + bytes > bytesMax / 2 && isWithoutEffect(ctx)) {
        takeBack(ctx, reply);
        throw overloaded;
      }
      unread += bytes;
      ctx.res.once('close', () => {
        unread -= bytes;
      });
    },
  };
}

function isWithoutEffect({ method, state }: Context): boolean {
  const { operation } = state as RequestState;
  return method === 'GET' || (operation !== undefined && pictures.has(operation));
}

const pictures: ReadonlySet<OperationId> = new Set(['renderSvg', 'renderPng', 'renderPdf']);

/** The headers of the answer are none of the refusal's. */
function takeBack(ctx: Context, { headers }: WireReply): void {
  const { limits } = ctx.state as RequestState;
  for (const name of Object.keys({ ...limits, ...headers })) ctx.remove(name);
}
