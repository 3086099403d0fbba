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

const [whole, start, end] = ['{"text":"x"}', '{"text":', '"x"}'].map((text) => ({ arguments: text }));
const [one, two, named] = [{ id: 'one' }, { id: 'two' }, { name: 'note' }];

const forms: readonly (readonly [calls: number, pieces: readonly object[]])[] = [
  [1, [{ ...one, function: { ...named, ...whole } }, { function: { ...named, ...whole } }]],
  [2, [{ function: { ...named, ...whole } }, { function: { ...named, ...whole } }]],
  [1, [{ ...one, function: { ...named, arguments: '{}' } }, { function: whole }]],
  [
    1,
    [
      { ...one, function: { ...named, ...start } },
      { index: 1, function: end },
    ],
  ],
  [
    1,
    [
      { ...one, index: null, function: start },
      { ...one, index: null, function: { ...named, ...end } },
    ],
  ],
  [2, [start, end].flatMap((part) => [one, two].map((id) => ({ ...id, function: { ...named, ...part } })))],
];

it.each(forms)('there are %i calls in %j', (count, pieces) => {
  const called = { name: 'note', arguments: { text: 'x' } };

  expect(callsOf(pieces)).toMatchObject(Array.from({ length: count }, () => called));
});

it('the counts of tokens may be divided among chunks, and end with zeros', () => {
  const step = new PartialStep({ onText: () => undefined, onPart: () => undefined });
  for (const [prompt_tokens, completion_tokens] of [[10], [0, 5], [0, 0]])
    step.add({ usage: { prompt_tokens, completion_tokens } });

  expect(step.usage).toEqual({ input_tokens: 10, output_tokens: 5 });
});

it.each([null, 'null', [], '[]', '', ' ', '""', '"null"'])('the arguments %j are none', (values) => {
  expect(callsOf([{ function: { name: 'note', arguments: values } }])).toMatchObject([{ arguments: {} }]);
});
