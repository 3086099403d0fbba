/** A break that callers were told of, or that nobody can rely on. */
export interface Approval {
  /** The sentence of the gate, word for word. */
  readonly break: string;
  readonly reason: string;
}

/** The breaks that nobody approved, and the approvals that are of no use. */
export function unapproved(breaks: readonly string[], approvals: readonly Approval[]): string[] {
  const approved = approvals.map((approval) => approval.break);
  return [
    ...breaks.filter((each) => !approved.includes(each)),
    ...approved.filter((each) => !breaks.includes(each)).map((each) => `Approved, but not a break: ${each}`),
    ...approvals
      .filter(({ reason }) => !/\w{3}/.test(reason))
      .map((each) => `Approved without a reason: ${each.break}`),
  ];
}
