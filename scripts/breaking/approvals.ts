/** A breaking change that was announced, or that no client can depend on. */
export interface Approval {
  /** The message of the gate, verbatim. */
  readonly break: string;
  readonly reason: string;
}

/** Messages for unapproved breaks, and for approvals without a break or a reason. */
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
