import { describe, expect } from 'vitest';
import { sharedServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';

// Characters of private use, which no font has.
const rare = String.fromCodePoint(...Array.from({ length: 12 }, (_, i) => 0x10ff00 + i));
const data = [{ label: 'a', value: 1 }];

const alice = await sharedServer().as('alice');

describe.each([
  ['renderPng', 'application/json'],
  ['renderPng', 'image/png'],
  ['renderPdf', 'application/json'],
  ['renderPdf', 'application/pdf'],
] as const)('%s as %s', (operation, mediaType) => {
  const headers = { Accept: mediaType };

  spec(operation, 200, 'counts the characters that no font has, and names the first eight', async () => {
    const answer = await alice.send(operation, { body: { data, title: `a${rare}b` }, headers });

    expect(answer.headers.get('Chart-Missing-Glyphs')).toBe(
      '12; U+10FF00, U+10FF01, U+10FF02, U+10FF03, U+10FF04, U+10FF05, U+10FF06, U+10FF07',
    );
  });

  spec(operation, 200, 'has no such header when every character is drawn', async () => {
    const answer = await alice.send(operation, { body: { data, title: 'Größe, Я, α' }, headers });

    expect(answer.headers.get('Chart-Missing-Glyphs')).toBeNull();
  });
});
