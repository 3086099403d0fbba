import { describe, expect, it } from 'vitest';
import { complaintsAbout } from '../../../scripts/release/complaints.ts';

const changelog = '# Changelog\n\n## 0.2.0\n\n- Something new.\n\n## 0.1.0\n\n- The first.\n';
const release = { version: '0.2.0', versions: {}, changelog, isKeptOtherwise: false };

describe('a release', () => {
  it('is ready when the versions agree and the changelog tells of it', () => {
    const versions = { 'package.json': '0.2.0' };

    expect(complaintsAbout({ ...release, versions })).toEqual([]);
  });

  it('is not ready while a part has another version', () => {
    const versions = { 'package.json': '0.1.0' };

    expect(complaintsAbout({ ...release, versions })).toEqual([
      'package.json has version 0.1.0, but sdk/package.json has 0.2.0.',
    ]);
  });

  it.each([
    ['has no entry', changelog, '0.3.0'],
    ['has an empty entry', '# Changelog\n\n## 0.2.0\n\n## 0.1.0\n\n- The first.\n', '0.2.0'],
  ])('is not ready while the changelog %s', (_what, text, version) => {
    expect(complaintsAbout({ ...release, version, changelog: text })).toEqual([
      `sdk/CHANGELOG.md says nothing under "## ${version}".`,
    ]);
  });
  it('is not ready while the contract that is kept for its version is another one', () => {
    expect(complaintsAbout({ ...release, isKeptOtherwise: true })).toEqual([
      expect.stringMatching(/^openapi\/released\/0\.2\.0\.json is another contract\. Raise the version, or/),
    ]);
  });
});
