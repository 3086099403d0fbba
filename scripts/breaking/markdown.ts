import { unapproved, type Approval } from './approvals.ts';

interface Comparison {
  /** The version that the contract is compared with, such as "0.1.0". */
  readonly baseline: string;
  readonly breaks: readonly string[];
  readonly additions: readonly string[];
  readonly approvals: readonly Approval[];
}

/** The comparison of two contracts as the comment on a pull request. */
export function markdown({ baseline, breaks, additions, approvals }: Comparison): string {
  const problems = unapproved(breaks, approvals);
  const approved = approvals.filter((each) => breaks.includes(each.break));
  const sections = [
    section('Breaks that need an approval or a revert', problems),
    section(
      'Approved breaks',
      approved.map((each) => `${each.break} (${each.reason})`),
    ),
    section('Additions', additions),
  ].filter((text) => text !== '');
  const summary = sections.length > 0 ? sections.join('\n') : 'Nothing has changed for clients.\n';
  return `## The contract, compared with ${baseline}\n\n${summary}`;
}

function section(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  return [`### ${title}`, '', ...lines.map((line) => `- ${escaped(line)}`), ''].join('\n');
}

/** Text of the contract must not become Markdown or HTML. */
function escaped(line: string): string {
  return line.replaceAll(/[\\`*_{}[\]<>|#]/g, (character) => `\\${character}`);
}
