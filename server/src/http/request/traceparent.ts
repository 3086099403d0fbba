/** Where a request belongs in a trace that began elsewhere. */
export interface TraceContext {
  readonly trace_id: string;
  /** The span of the caller. */
  readonly parent_id: string;
}

const format = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(?<rest>-.*)?$/;

/** Reads a `traceparent` header (W3C Trace Context, section 3.2). One that is not valid counts as absent. */
export function parseTraceparent(traceparent: string): TraceContext | undefined {
  const [, trace_id, parent_id, rest] = format.exec(traceparent) ?? [];
  if (trace_id === undefined || parent_id === undefined) return undefined;
  // Only versions that are yet to come may say more.
  if (rest !== undefined && traceparent.startsWith('00')) return undefined;
  return { trace_id, parent_id };
}
