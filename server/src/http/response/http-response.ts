import type { Write } from '../../db/write.ts';

/** A response before it is sent. It is stored under an idempotency key in this form. */
export interface AnyResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
}

/** A response, and the write that is executed before it is sent. */
export type AnyPlan = AnyResponse & { readonly write?: Write | undefined };
