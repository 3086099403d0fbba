import { describe, expect, it } from 'vitest';
import { closeAll } from '../../server/src/close-all.ts';

describe('closeAll', () => {
  it('takes every step in order, also after one that fails, and rejects with its failure', async () => {
    const taken: string[] = [];
    const failure = new Error('The port is gone.');
    const closing = closeAll([
      step('listener', taken, failure),
      step('painters', taken),
      step('database', taken),
    ]);

    await expect(closing).rejects.toBe(failure);
    expect(taken).toEqual(['listener', 'painters', 'database']);
  });

  it('rejects with all failures where there are several', async () => {
    const [one, two] = [new Error('One.'), new Error('Two.')];

    await expect(closeAll([step('a', [], one), step('b', [], two)])).rejects.toMatchObject({
      errors: [one, two],
    });
  });
});

function step(name: string, taken: string[], failure?: Error): () => Promise<void> {
  return () => {
    taken.push(name);
    return failure === undefined ? Promise.resolve() : Promise.reject(failure);
  };
}
