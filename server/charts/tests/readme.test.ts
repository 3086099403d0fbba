import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import contract from '../../src/generated/openapi.json' with { type: 'json' };
import { renderSvg } from '../src/svg.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

it('the picture of the README is what its example draws', async () => {
  const [, code = ''] = /```js\n([^]*?)```/.exec(readme) ?? [];
  const written: string[] = [];
  const program = code.replaceAll(/^import .*\n/gm, '');
  runInNewContext(program, { renderSvg, writeFileSync: (_: string, svg: string) => written.push(svg) });

  await expect(written.join()).toMatchFileSnapshot('../chart.svg');
});

it.each(Object.keys(contract.components.schemas.ChartRequest.properties))('the README names %s', (field) => {
  expect(readme).toContain(`\`${field}\``);
});
