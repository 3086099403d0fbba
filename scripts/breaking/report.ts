/** A breaking change that has been announced, or that affects no client. */
export interface Approval {
  /** The exact message of the gate. */
  readonly break: string;
  readonly reason: string;
}

interface Comparison {
  /** The version to compare with, such as "0.1.0". */
  readonly baseline: string;
  readonly breaks: readonly string[];
  readonly additions: readonly string[];
  readonly approvals: readonly Approval[];
}

/** Messages for breaks without an approval, and for approvals without a break or a reason. */
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

/** The comparison of two contracts, as Markdown for a comment on a pull request. */
export function markdown({ baseline, breaks, additions, approvals }: Comparison): string {
  const approved = approvals.filter((each) => breaks.includes(each.break));
  const sections = Object.entries({
    'Breaks that need an approval or a revert': unapproved(breaks, approvals),
    'Approved breaks': approved.map((each) => `${each.break} (${each.reason})`),
    Additions: additions,
  })
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) =>
      [`### ${title}`, '', ...lines.map((line) => `- ${escaped(line)}`), ''].join('\n'),
    );
  const summary = sections.length > 0 ? sections.join('\n') : 'Nothing has changed for clients.\n';
  return `## The contract, compared with ${baseline}\n\n${summary}`;
}

/** Text of the contract must not be read as Markdown or HTML. */
function escaped(line: string): string {
  return line.replaceAll(/[\\`*_{}[\]<>|#]/g, (character) => `\\${character}`);
}
