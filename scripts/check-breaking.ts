/**
 * Compares the contract with the contract of the last release, if there is one. A breaking change must be reverted, or
 * approved with a reason in openapi/approved-breaks.yaml. With --markdown, also prints all changes, including
 * additions, for a comment on a pull request.
 */
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { contractAdditions, contractBreaks } from './breaking/compare-contracts.ts';
import { markdown, unapproved, type Approval } from './breaking/report.ts';

const { markdown: printsMarkdown } = parseArgs({ options: { markdown: { type: 'boolean' } } }).values;

const [released] = globSync('openapi/released/*.json').toSorted((a, b) =>
  b.localeCompare(a, 'en', { numeric: true }),
);
if (released === undefined)
  console.log('No contract is in openapi/released/ yet, so no change of the contract can break a client.');
else await compareWith(released);

async function compareWith(release: string): Promise<void> {
  const before = JSON.parse(await readFile(release, 'utf8')) as unknown;
  const after = JSON.parse(await readFile('server/src/generated/openapi.json', 'utf8')) as unknown;
  const approvals = (parse(await readFile('openapi/approved-breaks.yaml', 'utf8')) ?? []) as Approval[];

  const breaks = contractBreaks(before, after);
  const violations = unapproved(breaks, approvals);
  if (printsMarkdown === true) {
    const baseline = basename(release, '.json');
    const additions = contractAdditions(before, after);
    console.log(markdown({ baseline, breaks, additions, approvals }));
  }
  if (violations.length > 0) {
    console.error([`Compared with ${release}:`, ...violations.map((each) => `  ${each}`)].join('\n'));
    process.exitCode = 1;
  }
}
