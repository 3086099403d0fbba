import { describe, expect, it } from 'vitest';
import * as errors from '../../sdk/src/errors.ts';

/** A second copy of the classes, as an app has it that loads the package as ES module and as CommonJS. */
async function secondCopy(): Promise<typeof errors> {
  const path = '../../sdk/src/errors.ts?copy';
  return (await import(path)) as typeof errors;
}

const options = { status: 404, headers: new Headers(), body: undefined };

describe('errors of another copy of the package', () => {
  it('are instances of the same classes, and of their base classes', async () => {
    const copy = await secondCopy();
    const error = new copy.NotFoundError(options);

    expect(copy.NotFoundError).not.toBe(errors.NotFoundError);
    expect(error instanceof errors.NotFoundError).toBe(true);
    expect(error instanceof errors.ApiError).toBe(true);
    expect(error instanceof errors.WorktableError).toBe(true);
  });

  it('are not instances of other classes', async () => {
    const copy = await secondCopy();
    const error = new copy.NotFoundError(options);

    expect(error instanceof errors.BadRequestError).toBe(false);
    expect(error instanceof errors.ConnectionError).toBe(false);
    expect(new Error('other') instanceof errors.WorktableError).toBe(false);
    expect({} instanceof errors.WorktableError).toBe(false);
  });

  it('are not instances of a class that an app derives', () => {
    class MissingTask extends errors.NotFoundError {}

    expect(new MissingTask(options) instanceof errors.NotFoundError).toBe(true);
    expect(new MissingTask(options) instanceof MissingTask).toBe(true);
    expect(new errors.NotFoundError(options) instanceof MissingTask).toBe(false);
  });
});
