import { expect, inject, it } from 'vitest';
import type {} from '../../support/engine-setup.ts';

it('the unit tests start no engine', () => {
  expect(inject('engine')).toBeUndefined();
});
