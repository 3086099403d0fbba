/** The place of a request in a distributed trace. */
interface TraceContext {
  readonly trace_id: string;
  /** The span of the client. */
  readonly parent_id: string;
}

const format = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(?<rest>-.*)?$/;

/** Reads a `traceparent` header (W3C Trace Context, section 3.2). An invalid one counts as absent. */
export function parseTraceparent(traceparent: string): TraceContext | undefined {
  const [, trace_id, parent_id, rest] = format.exec(traceparent) ?? [];
  if (trace_id === undefined || parent_id === undefined) return undefined;
  // Only future versions may have further fields.
  if (rest !== undefined && traceparent.startsWith('00')) return undefined;
  return { trace_id, parent_id };
}
