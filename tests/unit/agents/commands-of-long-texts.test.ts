import { describe, expect, it } from 'vitest';
import { callInThread } from '../../support/call-in-thread.ts';

const length = 1_000_000;

/** The number of commands in a text. */
async function partsOf(text: string): Promise<unknown> {
  const module = import.meta.resolve('../../../server/src/agents/runtimes/builtin/commands.ts');
  const parts = await callInThread(module, 'commandsFrom', [text]);
  return Array.isArray(parts) ? parts.length : parts;
}

function filledWith(piece: string): string {
  return piece.repeat(length / piece.length);
}

describe('commandsFrom', () => {
  it.each([
    ['“', 1],
    ['”', 1],
    ['"', 1],
    [';', 0],
    [',', 1],
    [' ', 0],
    ['\n', 0],
    ['\uE000', 0],
    ['\uE0001\uE001', 1],
    ['and ', 1],
    [' and list', 111_111],
    [', then ', 0],
    ['.', 1],
    ['. ', 0],
    ['!', 1],
    ['! ', 0],
    ['“a ', 1],
    ['“"', 1],
    ['"“', 1],
    ['”“', 1],
    ['“”', 1],
    ['“;', 500_000],
    ['“\n', 500_000],
    ['“ and ', 1],
    ['“, then ', 125_000],
    ['“! ', 333_333],
    ['“. "', 125_001],
    ['“\uE0000\uE001', 1],
    ['list my tasks; “', 62_501],
  ])('terminates for a million characters of %j', async (piece, parts) => {
    expect(await partsOf(filledWith(piece))).toBe(parts);
  });

  it.each(['“', '"', '“"', '”“'])(
    'terminates if many commands precede a million characters of %j',
    async (quotes) => {
      const commands = 'list my tasks; '.repeat(4_000);

      expect(await partsOf(commands + filledWith(quotes))).toBe(4_001);
    },
  );

  it('terminates for an odd number of quotes', async () => {
    expect(await partsOf('"'.repeat(length + 1))).toBe(1);
    expect(await partsOf('“'.repeat(length) + '"')).toBe(1);
  });
});
