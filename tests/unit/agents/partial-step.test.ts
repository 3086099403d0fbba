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

it('a call that a server repeats as a whole without its id is no second call', () => {
  const called = { function: { name: 'note', arguments: '{"text":"x"}' } };

  expect(callsOf([{ id: 'one', ...called }, called])).toHaveLength(1);
  expect(callsOf([called, called])).toHaveLength(2);
});

it.each([null, 'null', [], '[]', '', ' ', '""', '"null"'])('the arguments %j are none', (values) => {
  expect(callsOf([{ function: { name: 'note', arguments: values } }])).toMatchObject([{ arguments: {} }]);
});
