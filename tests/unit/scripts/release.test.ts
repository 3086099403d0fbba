import { describe, expect, it } from 'vitest';
import { violations } from '../../../scripts/release/violations.ts';

const changelog = '# Changelog\n\n## 0.2.0\n\n- Something new.\n\n## 0.1.0\n\n- The first.\n';
const release = { version: '0.2.0', versions: {}, changelog, isStoredContractDifferent: false };

describe('a release', () => {
  it('is ready when the versions agree and the changelog has an entry', () => {
    const versions = { 'package.json': '0.2.0' };

    expect(violations({ ...release, versions })).toEqual([]);
  });

  it('is not ready while a package has another version', () => {
    const versions = { 'package.json': '0.1.0' };

    expect(violations({ ...release, versions })).toEqual([
      'package.json has version 0.1.0, but sdk/package.json has 0.2.0.',
    ]);
  });

  it.each([
    ['has no entry', changelog, '0.3.0'],
    ['has an empty entry', '# Changelog\n\n## 0.2.0\n\n## 0.1.0\n\n- The first.\n', '0.2.0'],
  ])('is not ready while the changelog %s', (_what, text, version) => {
    expect(violations({ ...release, version, changelog: text })).toEqual([
      `sdk/CHANGELOG.md has no text under "## ${version}".`,
    ]);
  });

  it('is not ready while a different contract is stored for its version', () => {
    expect(violations({ ...release, isStoredContractDifferent: true })).toEqual([
      expect.stringMatching(
        /^openapi\/released\/0\.2\.0\.json is a different contract\. Raise the version, or/,
      ),
    ]);
  });
});
