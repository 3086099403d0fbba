import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import contract from '../../../server/src/generated/openapi.json' with { type: 'json' };
import { unapproved } from '../../../scripts/breaking/report.ts';
import { contractBreaks } from '../../../scripts/breaking/compare-contracts.ts';
import { set, type Mutation } from './mutation.ts';

const script = join(import.meta.dirname, '../../../scripts/check-breaking.ts');

const schemas = 'components/schemas';
const list = 'paths/~api~tasks/get';
const create = 'paths/~api~tasks/post';
const run = 'paths/~v1~agents~{id}~run/post';

/** Changes that break clients: a path, its new value (none deletes it), and the message of the gate. */
const breaking: readonly (readonly [Mutation, RegExp])[] = [
  [['paths/~api~tasks~{id}~assign'], /assign: the operation is removed/],
  [['paths/~api~tasks~{id}/delete'], /^DELETE .*: the operation is removed/],
  [[`${list}/operationId`, 'getTasks'], /operationId has changed/],
  [[`${list}/security`, [{ other: [] }]], /security has changed/],
  [[`${list}/parameters/workspace_id`], /query parameter "workspace_id": is removed/],
  [[`${list}/parameters/workspace_id/required`, true], /"workspace_id": is now required/],
  [[`${list}/parameters/q/schema`, { type: 'integer' }], /"q": no longer accepts string/],
  [[`${list}/parameters/status/explode`, false], /"status": the serialization has changed/],
  [[`${schemas}/FilterTexts/maxItems`, 5], /FilterTexts in a request: maxItems is stricter/],
  [[`${list}/parameters/sort/schema/enum/-title`], /"sort": no longer accepts "-title"/],
  [[`${list}/parameters/sort/schema/default`, 'title'], /"sort": the default has changed/],
  [['components/parameters/PageLimit/schema/default', 50], /"limit": the default has changed/],
  [['components/parameters/PageLimit/schema/maximum', 500], /"limit": maximum is stricter/],
  [['components/parameters/Offset/schema/minimum', 1], /"offset": minimum is stricter/],
  [['components/parameters/IdempotencyKey/required', true], /"Idempotency-Key": is now required/],
  [
    ['components/parameters/IdempotencyKey/schema/pattern', '^[a-z]+$'],
    /"Idempotency-Key": pattern is stricter/,
  ],
  [
    [`${create}/requestBody/content/application~json`],
    /request application\/json: the media type is removed/,
  ],
  [[`${schemas}/TaskTitle/maxLength`, 100], /TaskTitle in a request: maxLength is stricter/],
  [
    [`${schemas}/RunEvent/oneOf/run.started/properties/data`, { $ref: '#/components/schemas/MessageDelta' }],
    /RunEvent in a response\/data\/status: the property is removed/,
  ],
  [[`${schemas}/TaskTitle/minLength`, 3], /TaskTitle in a request: minLength is stricter/],
  [
    [`${schemas}/TaskFields/required`, ['tags']],
    /TaskCreate in a request\/tags: the property is now required/,
  ],
  [[`${schemas}/TaskFields/properties/metadata`], /metadata: the property is removed/],
  [[`${schemas}/TaskFields/additionalProperties`, false], /other properties are refused/],
  [
    [`${schemas}/TaskPriority/anyOf`, [{ type: 'string', maxLength: 255 }, { type: 'null' }]],
    /TaskPriority in a request: no longer accepts number/,
  ],
  [[`${schemas}/ShortText/type`, 'string'], /ShortText in a request: no longer accepts null/],
  [[`${schemas}/ShortText/enum`, ['a', 'b']], /no longer accepts any value/],
  [[`${schemas}/DateOrTimestamp/format`, 'date'], /DateOrTimestamp in a request: format is stricter/],
  [
    [`${schemas}/DateOrTimestamp/anyOf`, [{ format: 'date' }, { enum: [''] }]],
    /DateOrTimestamp in a request: no longer accepts any value|format is stricter/,
  ],
  [[`${schemas}/ChartRequest/properties/chart_type/enum/pie`], /chart_type: no longer accepts "pie"/],
  [[`${schemas}/ChartRequest/properties/width/default`, 640], /width: the default has changed/],
  [[`${schemas}/ChartRequest/properties/width/maximum`, 100], /width: maximum is stricter/],
  [[`${schemas}/ChartRequest/properties/data/minItems`, 1], /data: minItems is stricter/],
  [[`${schemas}/DataPoint/required`, ['label', 'value', 'color']], /color: the property is now required/],
  [[`${schemas}/SkillName/pattern`, '^x'], /SkillName in a request: pattern is stricter/],
  [[`${create}/responses/201`], /201: the status is removed/],
  [[`${create}/responses/418`, { description: 'Teapot.' }], /418: the status is new/],
  [[`${create}/responses/201/headers/Location`], /header Location: is removed/],
  [['components/headers/ETag/required', false], /header ETag: is no longer always there/],
  [['components/headers/RetryAfter/schema/type', 'string'], /header Retry-After: may now be string/],
  [[`${run}/responses/200/content/text~event-stream`], /text\/event-stream: the media type is removed/],
  [[`${schemas}/Task/properties/tags`], /tags: the property is removed/],
  [[`${schemas}/Task/required/title`], /title: the property is no longer always there/],
  [[`${schemas}/Task/properties/title/type`, ['string', 'null']], /title: may now be null/],
  [[`${schemas}/Task/properties/id/format`], /id: format is looser/],
  [[`${schemas}/TaskList/properties/count/minimum`, -1], /count: minimum is looser/],
  [[`${schemas}/TaskList/properties/count/type`, 'number'], /count: may now be number/],
  [[`${schemas}/DeletedTask/properties/deleted/const`], /deleted: may now be any value/],
  [[`${schemas}/ErrorCode/enum/-`, 'Teapot'], /^ErrorCode in a response: may now be "Teapot"$/],
  [[`${schemas}/RunStatus/enum/-`, 'paused'], /^RunStatus in a response: may now be "paused"$/],
  [[`${schemas}/Run/properties/usage/anyOf/-`, { type: 'string' }], /usage: may now be string/],
  [[`${schemas}/MessageDelta/properties/text`], /MessageDelta in a response\/text: the property is removed/],
  [[`${schemas}/PngImage/properties/png_base64/contentEncoding`], /png_base64: contentEncoding is looser/],
];

/** Changes that break no client. */
const harmless: readonly Mutation[] = [
  ['info/description', 'Other words.'],
  [
    'paths/~api~projects',
    { get: { operationId: 'listProjects', responses: { 200: { description: 'All.' } } } },
  ],
  [`${list}/security`, []],
  [`${list}/parameters/-`, { name: 'color', in: 'query', schema: { type: 'string' } }],
  [`${create}/requestBody/required`, false],
  [`${create}/responses/413`],
  [`${create}/responses/201/headers/Age`, { schema: { type: 'integer' } }],
  ['components/parameters/IdempotencyKey/schema/pattern'],
  [`${schemas}/TaskTitle/maxLength`, 1000],
  [`${schemas}/TaskCreate/allOf/object/required`, []],
  [`${schemas}/TaskFields/properties/color`, { type: 'string' }],
  [`${schemas}/ChartRequest/properties/chart_type/enum/-`, 'radar'],
  [`${schemas}/ChartRequest/properties/width/type`, 'number'],
  [`${schemas}/Task/properties/color`, { type: 'string' }],
  [`${schemas}/Agent/properties/status/enum/unavailable`],
  [`${schemas}/Agent/properties/instructions/type`, 'string'],
  [`${schemas}/Run/properties/error/anyOf/RunError`],
  [`${schemas}/Problem/required/-`, 'errors'],
  [`${schemas}/TaskList/properties/count/maximum`, 1000],
];

describe('the breaking-change gate', () => {
  it('passes an unchanged contract', () => {
    expect(contractBreaks(contract, structuredClone(contract))).toEqual([]);
  });

  it.each(breaking)('rejects the breaking change %j', (mutation, sentence) => {
    const breaks = contractBreaks(contract, set(contract, mutation));

    expect(breaks.join('\n')).toMatch(sentence);
  });

  it.each(harmless.map((mutation) => ({ mutation })))(
    'passes the compatible change $mutation',
    ({ mutation }) => {
      const changed = set(contract, mutation);

      expect(changed).not.toEqual(contract);
      expect(contractBreaks(contract, changed)).toEqual([]);
    },
  );
});

describe('approvals', () => {
  it('let a break pass when they give a reason', () => {
    expect(unapproved(['a: is removed'], [{ break: 'a: is removed', reason: 'No client uses it.' }])).toEqual(
      [],
    );
  });

  it('are reported when a break has none, when they match no break and when they have no reason', () => {
    const messages = unapproved(
      ['a', 'b'],
      [
        { break: 'b', reason: '' },
        { break: 'c', reason: 'It was never released.' },
      ],
    );

    expect(messages).toEqual(['a', 'Approved, but not a break: c', 'Approved without a reason: b']);
  });
});

describe('the check of a release', () => {
  it.each([
    [
      'there is no release yet',
      undefined,
      { status: 0, output: /^No contract is in openapi\/released\/ yet/ },
    ],
    ['the last release had the same contract', contract, { status: 0, output: /^$/ }],
    [
      'the last release accepted more',
      set(contract, [`${create}/requestBody/content/text~csv`, { schema: { type: 'string' } }]),
      { status: 1, output: /^Compared with openapi\/released\/0\.10\.0\.json:\n {2}POST .*removed/ },
    ],
  ])('compares where %s', async (_what, release, expected) => {
    const folder = await repositoryWith(contract, release);

    const { status, stdout, stderr } = spawnSync(process.execPath, [script], {
      cwd: folder,
      encoding: 'utf8',
    });

    expect({ status, output: stdout + stderr }).toEqual({
      status: expected.status,
      output: expect.stringMatching(expected.output) as string,
    });
  });
});

/** A folder with the contract, its last release if there is one, and an older release that accepts everything. */
async function repositoryWith(current: object, release: object | undefined): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'worktable-release-'));
  await mkdir(join(folder, 'server/src/generated'), { recursive: true });
  await writeFile(join(folder, 'server/src/generated/openapi.json'), JSON.stringify(current));
  if (release === undefined) return folder;
  await mkdir(join(folder, 'openapi/released'), { recursive: true });
  await writeFile(join(folder, 'openapi/released/0.10.0.json'), JSON.stringify(release));
  await writeFile(join(folder, 'openapi/released/0.9.0.json'), '{}');
  await writeFile(join(folder, 'openapi/approved-breaks.yaml'), '# None.\n');
  return folder;
}
