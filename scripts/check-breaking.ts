/**
 * Compares the contract with the contract of the last release, if there is one, by the rules of redocly.yaml. A breaking
 * change must be reverted, or approved with a reason in openapi/approved-breaks.yaml. With --markdown, also prints all
 * changes, including additions, for a comment on a pull request.
 */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';

/** A breaking change that has been announced, or that affects no client. */
interface Approval {
  /** The exact sentence that this check prints. */
  readonly break: string;
  readonly reason: string;
}

/** The report of `redocly diff`. */
interface Report {
  readonly changes: readonly {
    readonly verdicts: readonly {
      readonly impact: 'major' | 'minor' | 'patch';
      readonly message: string;
      readonly location: { readonly pointer: string };
    }[];
  }[];
}

const root = join(import.meta.dirname, '..');
const { markdown } = parseArgs({ options: { markdown: { type: 'boolean' } } }).values;

const [released] = globSync('openapi/released/*.json').toSorted((a, b) =>
  b.localeCompare(a, 'en', { numeric: true }),
);
if (released === undefined)
  console.log('No contract is in openapi/released/ yet, so no change of the contract can break a client.');
else compareWith(released);

function compareWith(release: string): void {
  const { changes } = JSON.parse(diff(release, 'json')) as Report;
  const breaks = changes
    .flatMap(({ verdicts }) => verdicts)
    .filter(({ impact }) => impact === 'major')
    .map(({ location, message }) => `${location.pointer}: ${message}`);
  const approvals = (parse(readFileSync('openapi/approved-breaks.yaml', 'utf8')) ?? []) as Approval[];
  const violations = unapproved(breaks, approvals);
  if (markdown === true) {
    console.log(diff(release, 'markdown'));
    const approved = approvals.filter((each) => breaks.includes(each.break));
    printSection('Breaks that need an approval or a revert', violations);
    printSection(
      'Approved breaks',
      approved.map((each) => `${each.break} (${each.reason})`),
    );
  }
  if (violations.length > 0) {
    console.error([`Compared with ${release}:`, ...violations.map((each) => `  ${each}`)].join('\n'));
    process.exitCode = 1;
  }
}

function diff(release: string, format: 'json' | 'markdown'): string {
  const cli = join(root, 'node_modules/@redocly/cli/bin/cli.js');
  const documents = [release, 'server/src/generated/openapi.json'];
  const options = ['--config', join(root, 'redocly.yaml'), '--fail-on', 'none', '--format', format];
  return execFileSync(process.execPath, [cli, 'diff', ...documents, ...options], {
    encoding: 'utf8',
    // With pipes, the error of a failed command contains what Redocly has printed.
    stdio: 'pipe',
    maxBuffer: Infinity,
  });
}

/** Sentences for breaks without an approval, and for approvals without a break or a reason. */
function unapproved(breaks: readonly string[], approvals: readonly Approval[]): string[] {
  const approved = approvals.map((approval) => approval.break);
  return [
    ...breaks.filter((each) => !approved.includes(each)),
    ...approved.filter((each) => !breaks.includes(each)).map((each) => `Approved, but not a break: ${each}`),
    ...approvals
      .filter(({ reason }) => !/\w{3}/.test(reason))
      .map((each) => `Approved without a reason: ${each.break}`),
  ];
}

/** A section of Markdown. Its lines are formatted as code, because they quote texts with Markdown or HTML. */
function printSection(title: string, lines: readonly string[]): void {
  if (lines.length > 0)
    console.log([`### ${title}`, '', ...lines.map((line) => `    ${line}`), ''].join('\n'));
}
