import { describe, expect, it } from 'vitest';
import { callInThread } from '../../support/call-in-thread.ts';

const length = 1_000_000;

/** The number of commands in a text. */
async function partsOf(text: string): Promise<unknown> {
  const module = import.meta.resolve('../../../server/src/agents/runtimes/builtin/commands.ts');
  const parts = await callInThread(module, 'commandsFrom', [text]);
  return Array.isArray(parts) ? parts.length : parts;
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
  ])(
    'terminates for a million characters of %j, also after many commands or with one more quote',
    async (piece, parts) => {
      const text = piece.repeat(length / piece.length);

      expect(await partsOf(text)).toBe(parts);
      if (!/^[“”"]+$/.test(piece)) return;
      expect(await partsOf(`${text}"`)).toBe(1);
      expect(await partsOf('list my tasks; '.repeat(4_000) + text)).toBe(4_001);
    },
  );
});
