import { expect, it } from 'vitest';
import { violations } from '../../../scripts/release/violations.ts';

const changelog = '# Changelog\n\n## 0.2.0\n\n- Something new.\n\n## 0.1.0\n\n- The first.\n';
const release = { version: '0.2.0', versions: {}, changelog, isStoredContractDifferent: false };

it('a release is ready when the versions agree and the changelog has an entry', () => {
  expect(violations({ ...release, versions: { 'package.json': '0.2.0' } })).toEqual([]);
});

it.each<[what: string, change: Partial<typeof release>, sentence: RegExp]>([
  [
    'a package has another version',
    { versions: { 'package.json': '0.1.0' } },
    /^package\.json has version 0\.1\.0, but sdk\/package\.json has 0\.2\.0\.$/,
  ],
  [
    'the changelog has no entry',
    { version: '0.3.0' },
    /^sdk\/CHANGELOG\.md has no text under "## 0\.3\.0"\.$/,
  ],
  [
    'the changelog has an empty entry',
    { changelog: '# Changelog\n\n## 0.2.0\n\n## 0.1.0\n\n- The first.\n' },
    /^sdk\/CHANGELOG\.md has no text under "## 0\.2\.0"\.$/,
  ],
  [
    'a different contract is stored for its version',
    { isStoredContractDifferent: true },
    /^openapi\/released\/0\.2\.0\.json is a different contract\. Raise the version, or/,
  ],
])('a release is not ready while %s', (_what, change, sentence) => {
  expect(violations({ ...release, ...change })).toEqual([expect.stringMatching(sentence)]);
});
