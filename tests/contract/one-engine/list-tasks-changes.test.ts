import { expect, it } from 'vitest';
import { readConfig } from '../../../server/src/config/config.ts';
import document from '../../../server/src/generated/openapi.json' with { type: 'json' };

/** By how many seconds the contract makes a list begin before the newest `updated_at`. */
const [, overlapS] =
  /(\d+)\sseconds before the newest/.exec(
    document.paths['/api/tasks'].get.parameters.find(({ name }) => name === 'updated_since')?.description ??
      '',
  ) ?? [];
const overlapMs = Number(overlapS) * 1000;

it('the overlap that the contract advises is longer than a statement may take by default', () => {
  const { database } = readConfig({});

  expect(overlapMs).toBeGreaterThan(database.statementTimeoutMs);
});
