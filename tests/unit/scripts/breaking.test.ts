import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import contract from '../../../server/src/generated/openapi.json' with { type: 'json' };
import { createFolder } from '../../support/folder.ts';

const schemas = 'components/schemas';
const create = 'paths/~api~tasks/post';
const statuses = contract.components.schemas.RunStatus.enum;

/** A path in the contract, in which `~` stands for `/` in a name, and its new value; without a value, it is deleted. */
type Change = readonly [path: string, value?: unknown];

/** Changes that break clients, and the sentence of the check. The first ones are found by scripts/breaking-rules.ts. */
const breaking: readonly (readonly [Change, RegExp])[] = [
  [['components/parameters/PageLimit/schema/default', 50], /PageLimit.*default changed from 100 to 50/],
  [[`${schemas}/ChartRequest/properties/width/default`], /width.*default changed from 800 to none/],
  [[`${schemas}/TaskFields/properties/metadata`], /Property `metadata` of requests was removed/],
  [['components/headers/ETag/required', false], /ETag.* header may be missing/],
  [[`${create}/responses/201`], /Status `201` was removed/],
  [[`${create}/responses/418`, { description: 'Teapot.' }], /Status `418` is new/],
  // Redocly's own rules find these, and changes of many other kinds.
  [[`${schemas}/TaskTitle/maxLength`, 100], /TaskTitle.*`maxLength` .* to '100'/],
  [[`${schemas}/RunStatus/enum`, [...statuses, 'paused']], /RunStatus.* gained values: 'paused'/],
  [['paths/~api~tasks~{id}~assign'], /Path `.*assign` was removed/],
];

/** Changes that break no client, and a part of the comment about an addition. */
const harmless: readonly (readonly [Change, string?])[] = [
  [['info/description', 'Other words.']],
  [[`${create}/responses/413`]],
  [[`${schemas}/TaskTitle/maxLength`, 10_000]],
  [[`${schemas}/TaskFields/properties/color`, { type: 'string' }], 'allOf/0/properties/color'],
  [[`${schemas}/Task/properties/color`, { type: 'string' }], 'tasks/items/properties/color'],
];

const [tags, title] = [`${schemas}/Task/properties/tags`, `${schemas}/Task/properties/title`];
const sentence = (name: string): string =>
  `#/${schemas}/Task/properties/${name}: Property \`${name}\` of \`Task\` was removed.`;
const approval = (name: string, reason: string): string =>
  `- break: '${sentence(name)}'\n  reason: '${reason}'\n`;

describe('the check for breaking changes', async () => {
  // All changes at once, because each comparison takes a second.
  const { status, output } = await check(breaking.map(([change]) => change));

  it('fails for breaking changes', () => {
    expect({ status, output }).toEqual({
      status: 1,
      output: expect.stringMatching(/^Compared with openapi\/released\/0\.10\.0\.json:\n {2}/) as string,
    });
  });

  it.each(breaking)('names the breaking change %j', (_change, sentence) => {
    expect(output.split('\n').filter((line) => sentence.test(line))).not.toEqual([]);
  });

  it('passes an unchanged contract, without a word', async () => {
    expect(await check([])).toEqual({ status: 0, output: '' });
  });

  it('passes compatible changes and approved breaks, and names both in the comment on a pull request', async () => {
    const changes = [...harmless.map(([change]) => change), [tags]] as const;
    const approvals = approval('tags', 'Nobody <b>used</b> it.');
    const { status: passed, output: comment } = await check(changes, approvals, '--markdown');

    expect([passed, comment.match(/^###.*/gm)]).toEqual([0, ['### Approved breaks']]);
    expect(comment).toContain(`\n\n    ${sentence('tags')} (Nobody <b>used</b> it.)\n`);
    for (const [, addition = ''] of harmless) expect(comment).toContain(addition);
  });
});

it('an approval is reported when a break has none, when it matches no break and when it has no reason', async () => {
  const approvals = approval('tags', '') + approval('other', 'It was never released.');
  const { status, output } = await check([[tags], [title]], approvals, '--markdown');

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

/** Compares a changed contract with a release of the contract. An older release must not matter. */
async function check(changes: readonly Change[], approvals = '# None.\n', ...args: string[]) {
  const cwd = await createFolder();
  for (const path of ['server/src/generated', 'openapi/released'])
    await mkdir(join(cwd, path), { recursive: true });
  const files = {
    'server/src/generated/openapi.json': JSON.stringify(changed(changes)),
    'openapi/released/0.10.0.json': JSON.stringify(contract),
    'openapi/released/0.9.0.json': '{}',
    'openapi/approved-breaks.yaml': approvals,
  };
  for (const [path, text] of Object.entries(files)) await writeFile(join(cwd, path), text);
  const script = join(import.meta.dirname, '../../../scripts/check-breaking.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    cwd,
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

/** The contract with changes. Throws if a path leads nowhere. */
function changed(changes: readonly Change[]): object {
  const copy: object = structuredClone(contract);
  for (const [path, ...value] of changes) {
    const keys = path.split('/').map((key) => key.replaceAll('~', '/'));
    const last = keys.pop() ?? '';
    const parent = keys.reduce<object>((node, key) => Object(Reflect.get(node, key)) as object, copy);
    if (value.length > 0) Object.assign(parent, { [last]: value[0] });
    else if (!(last in parent)) throw new Error(`The contract has no ${path}.`);
    else Reflect.deleteProperty(parent, last);
  }
  return copy;
}
