import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { cleanUpAfter } from '../../support/cleanup.ts';

const length = 1_000_000;

// A linear function takes less than a second on a quiet machine for such a text, and a quadratic one half an hour.
const limitMs = 120_000;

const module = import.meta.resolve('../../../server/src/agents/runtimes/builtin/builtin.ts');
const program = `
  const { parentPort } = require('node:worker_threads');
  void import(${JSON.stringify(module)}).then(({ commandsFrom }) => {
    parentPort.on('message', (text) => parentPort.postMessage(commandsFrom(text)));
  });
`;
// A thread of its own, so that a test fails if the function does not end.
const thread = new Worker(program, { eval: true });
cleanUpAfter(() => thread.terminate());

/** The number of commands in a text. */
async function partsOf(text: string): Promise<unknown> {
  const received = once(thread, 'message', { signal: AbortSignal.timeout(limitMs) });
  thread.postMessage(text);
  const [parts] = (await received) as unknown[];
  return Array.isArray(parts) ? parts.length : parts;
}

const pieces = [
  ...[
    '“',
    '”',
    '"',
    ';',
    ',',
    ' ',
    '\n',
    '\uE000',
    '\uE0001\uE001',
    'and ',
    ' and list',
    ', then ',
    '.',
    '. ',
    '!',
    '! ',
  ],
  ...['“a ', '“"', '"“', '”“', '“”', '“;', '“\n', '“ and ', '“, then ', '“! ', '“. "', '“\uE0000\uE001'],
  'list my tasks; “',
];

describe('commandsFrom', () => {
  it.each(pieces)('terminates for a million characters of %j, also after many commands', async (piece) => {
    const text = piece.repeat(length / piece.length);

    expect(await partsOf(text)).toEqual(expect.any(Number));
    if (!/^[“”"]+$/.test(piece)) return;
    expect(await partsOf(`${text}"`)).toBe(1);
    expect(await partsOf('list my tasks; '.repeat(4_000) + text)).toBe(4_001);
  });
});
