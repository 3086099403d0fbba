import { expect, it } from 'vitest';
import * as errors from '../../sdk/src/errors.ts';

// A second copy of the classes, as in an app that loads the package both as an ES module and as CommonJS.
const path = '../../sdk/src/errors.ts?copy';
const copy = (await import(path)) as typeof errors;
const options = { status: 404, headers: new Headers(), body: undefined };

class MissingTask extends errors.NotFoundError {}

it.each([
  ['the same class', copy.NotFoundError, errors.NotFoundError, true],
  ['its base class', copy.NotFoundError, errors.ApiError, true],
  ['the base class of all errors', copy.NotFoundError, errors.WorktableError, true],
  ['another class', copy.NotFoundError, errors.BadRequestError, false],
  ['a class that is no response', copy.NotFoundError, errors.ConnectionError, false],
  ['the class that an app derives from it', MissingTask, errors.NotFoundError, true],
  ['a class that an app derives', MissingTask, MissingTask, true],
  ['the derived class of an app', errors.NotFoundError, MissingTask, false],
])(
  'an error of another copy of the package, or of an app, is an instance of %s: %o, %o, %s',
  (_what, from, of, is) => {
    expect(copy.NotFoundError).not.toBe(errors.NotFoundError);
    expect(new from(options) instanceof of).toBe(is);
  },
);

it('other values are not errors of the package', () => {
  expect(new Error('other') instanceof errors.WorktableError).toBe(false);
  expect({} instanceof errors.WorktableError).toBe(false);
});
