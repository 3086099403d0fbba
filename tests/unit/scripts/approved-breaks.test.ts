import { describe, expect, it } from 'vitest';
import contract from '../../../server/src/generated/openapi.json' with { type: 'json' };
import { createFolder } from '../../support/folder.ts';
import { check, run } from './check-breaking.ts';
import { set } from './mutation.ts';

it('the check passes where there is no release yet', async () => {
  expect(run(await createFolder())).toEqual({
    status: 0,
    output: expect.stringMatching(/^No contract is in openapi\/released\/ yet/) as string,
  });
});

const schemas = 'components/schemas';

describe('an approval', () => {
  const [tags, title] = [`${schemas}/Task/properties/tags`, `${schemas}/Task/properties/title`];
  const sentence = (name: string): string =>
    `#/${schemas}/Task/properties/${name}: Property \`${name}\` of \`Task\` was removed.`;
  const approval = (name: string, reason: string): string =>
    `- break: '${sentence(name)}'\n  reason: '${reason}'\n`;

  it('lets a break pass', async () => {
    const { status, output } = await check(
      set(contract, [tags]),
      approval('tags', 'Nobody <b>used</b> it.'),
      '--markdown',
    );

    expect(status).toBe(0);
    expect(output).toContain(`### Approved breaks\n\n    ${sentence('tags')} (Nobody <b>used</b> it.)\n`);
  });

  it('is reported when a break has none, when it matches no break and when it has no reason', async () => {
    const { status, output } = await check(
      set(set(contract, [tags]), [title]),
      approval('tags', '') + approval('other', 'It was never released.'),
      '--markdown',
    );

    const sentences = [
      sentence('title'),
      `Approved, but not a break: ${sentence('other')}`,
      `Approved without a reason: ${sentence('tags')}`,
    ];
    expect(status).toBe(1);
    expect(output).toContain(`Compared with openapi/released/0.10.0.json:\n  ${sentences.join('\n  ')}\n`);
    expect(output).toContain(
      `### Breaks that need an approval or a revert\n\n    ${sentences.join('\n    ')}\n`,
    );
  });
});
