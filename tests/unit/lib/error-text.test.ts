import { expect, it } from 'vitest';
import { textOfError } from '../../../server/src/lib/fetch.ts';

it('the texts of an error are read from 900,000 entries behind 1,500 levels', () => {
  const body = `${'{"error":'.repeat(1500)}[${'"x",'.repeat(900_000)}"x"]${'}'.repeat(1500)}`;

  expect(textOfError(body)).toHaveLength(1_800_001);
});
