import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createProject, node } from './built-sdk.ts';

const recipes = readFileSync('sdk/recipes.md', 'utf8');
const [, recipe = ''] = /## MSW\n[\s\S]*?```ts\n([\s\S]*?)```/.exec(recipes) ?? [];

it('the recipe for MSW runs as it stands, with a picture as bytes and a stream of events', async () => {
  const project = await createProject();
  await writeFile(join(project, 'recipe.mts'), recipe);

  const output = await node(project, 'recipe.mts');

  expect(output).toMatch(/^0 Buy milk [1-9]\d{3,} run\.completed\n$/);
});
