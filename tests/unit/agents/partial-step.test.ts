import { expect, it } from 'vitest';
import { PartialStep } from '../../../server/src/agents/runtimes/openai/partial-step.ts';

function callsOf(pieces: Iterable<object>) {
  const step = new PartialStep({ onText: () => undefined, onPart: () => undefined });
  for (const piece of pieces) step.add({ choices: [{ delta: { tool_calls: [{ index: 0, ...piece }] } }] });
  return step.complete().calls;
}

function* manyPieces(): Generator<object> {
  yield { function: { name: 'note', arguments: '{"text":"' } };
  for (let n = 0; n < 200_000; n += 1) yield { function: { arguments: 'x{}' } };
  yield { function: { arguments: '"}' } };
}

it('the arguments of a call may come in 200,000 pieces', () => {
  expect(callsOf(manyPieces()).map(({ written }) => written?.length)).toEqual([600_011]);
});

it('the names of calls count as a part of the response, which has a limit', () => {
  const pieces = Array.from({ length: 9 }, (_, i) => ({ function: { name: `${i}`.padEnd(2 ** 20) } }));

  expect(() => callsOf(pieces)).toThrow('larger than 4 MiB');
});

// The index, the id, the name and the arguments of each piece.
const forms = [
  { count: 1, pieces: ['0 one note {"text":"x"}', '0  note {"text":"x"}'] },
  { count: 2, pieces: ['0  note {"text":"x"}', '0  note {"text":"x"}'] },
  { count: 1, pieces: ['0 one note {"text":"x"}\n', '0 one note {"text":"x"}\n'] },
  { count: 1, pieces: ['0 one note {}', '0   {"text":"x"}'] },
  { count: 1, pieces: ['0 one note {"text":', '1   "x"}'] },
  { count: 1, pieces: [' one  {"text":', ' one note "x"}'] },
  { count: 2, pieces: ['0 one note {"text":', '0 two note {"text":', '0 one  "x"}', '0 two  "x"}'] },
  { count: 2, pieces: ['0 one note ', '0 one  {"text":"x"}', '1 one note ', '1 one  {"text":"x"}'] },
  { count: 1, pieces: ['0 one note {"text":', '1 one note "x"}'] },
  { count: 1, pieces: ['0 one note {"text":"x"}', '1 one note {"text":"x"}'] },
  { count: 2, pieces: ['0 one note {"text":"x"}', '1 one note {"text":"x"}\n'] },
  { count: 1, pieces: ['0 one', '0  no', '0  te', ' one  {"text":"x"}'] },
  { count: 1, pieces: ['0 one note "{\\"text\\":\\"x\\"}"'] },
];

it.each(forms)('there are $count calls in the pieces $pieces', ({ count, pieces }) => {
  const sent = pieces.map((piece) => {
    const [index, id, name, written] = piece.split(' ');
    return { index: index === '' ? null : Number(index), id, function: { name, arguments: written } };
  });
  const called = { name: 'note', arguments: { text: 'x' } };

  expect(callsOf(sent)).toMatchObject(Array.from({ length: count }, () => called));
});

it('more than a hundred calls fail the step', () => {
  const pieces = Array.from({ length: 101 }, (_, index) => ({ index, function: { name: 'note' } }));

  expect(callsOf(pieces.slice(1))).toHaveLength(100);
  expect(() => callsOf(pieces)).toThrow('more than 100 calls');
});

it('a piece that repeats the beginning of the arguments is part of them', () => {
  const pieces = ['{"note":', '{"note":', '{}}}'].map((part) => ({ function: { arguments: part } }));

  expect(callsOf([{ function: { name: 'note' } }, ...pieces])).toMatchObject([
    { arguments: { note: { note: {} } } },
  ]);
});

it('the counts of tokens may be divided among chunks, and end with zeros', () => {
  const step = new PartialStep({ onText: () => undefined, onPart: () => undefined });
  for (const [prompt_tokens, completion_tokens] of [[10], [0, 5], [0, 0]])
    step.add({ usage: { prompt_tokens, completion_tokens } });

  expect(step.usage).toEqual({ input_tokens: 10, output_tokens: 5 });
});

it.each([[null], ['null'], [[]], ['[]'], [''], [' '], ['""'], ['"null"']])(
  'the arguments %j count as none',
  (values) => {
    const [call] = callsOf([{ function: { name: 'note', arguments: values } }]);

    expect(call?.arguments).toEqual({});
  },
);
