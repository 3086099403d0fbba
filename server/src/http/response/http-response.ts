/** A response before it is sent, and as it is stored under an idempotency key. */
export interface HttpResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
}
