import { expect, it } from 'vitest';
import { textOfError } from '../../../server/src/lib/fetch.ts';

it('textOfError reads 900,000 texts inside 1,500 levels of JSON', () => {
  const body = `${'{"error":'.repeat(1500)}[${'"x",'.repeat(900_000)}"x"]${'}'.repeat(1500)}`;

  expect(textOfError(body)).toHaveLength(1_800_001);
});
