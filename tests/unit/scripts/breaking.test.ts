import { describe, expect, it } from 'vitest';
import contract from '../../../server/src/generated/openapi.json' with { type: 'json' };
import { check, run } from './check-breaking.ts';
import { type Mutation, set } from './mutation.ts';
import { createFolder } from '../../support/folder.ts';

const schemas = 'components/schemas';
const list = 'paths/~api~tasks/get';
const create = 'paths/~api~tasks/post';
const runAgent = 'paths/~v1~agents~{id}~run/post';

/** Changes that break clients: a path, its new value (none deletes it), and the sentence of the check. */
const breaking: readonly (readonly [Mutation, RegExp])[] = [
  [['paths/~api~tasks~{id}~assign'], /Path `.*assign` was removed/],
  [
    ['paths/~api~tasks~{id}~comments~{comment_id}/delete'],
    /`DELETE \/api\/tasks\/{id}\/comments\/{comment_id}` was/,
  ],
  [[`${list}/operationId`, 'getTasks'], /`operationId` of operation `GET .*tasks` changed/],
  [[`${list}/security`, [{ other: [] }]], /Authentication became required/],
  [['paths/~v1~sessions/get/parameters/agent_id'], /`agent_id` query parameter was removed/],
  [['paths/~v1~runs/get/parameters/status/required', true], /`status` query parameter became required/],
  [[`${list}/parameters/q/schema`, { type: 'integer' }], /Type narrowed from 'string' to 'integer'/],
  [['components/parameters/StatusFilter/explode', false], /`explode` of `status` query parameter was set/],
  [[`${schemas}/FilterTexts/maxItems`, 5], /FilterTexts.*`maxItems` .* from '50' to '5'/],
  [[`${list}/parameters/sort/schema/enum/-title`], /Enum lost values: '-title'/],
  [[`${list}/parameters/sort/schema/default`, 'title'], /default changed from "-created_at" to "title"/],
  [['components/parameters/PageLimit/schema/default', 50], /PageLimit.*default changed from .* to 50/],
  [['components/parameters/PageLimit/schema/maximum', 500], /PageLimit.*Upper bound .* to '<= 500'/],
  [['components/parameters/Offset/schema/minimum', 1], /Offset.*Lower bound .* to '>= 1'/],
  [['components/parameters/IdempotencyKey/required', true], /`Idempotency-Key` header parameter became/],
  [
    ['components/parameters/IdempotencyKey/schema/pattern', '^[a-z]+$'],
    /IdempotencyKey.*`pattern` changed from .* to '\^\[a-z\]\+\$'/,
  ],
  [
    ['paths/~api~tasks~{id}~comments/post/requestBody/content/application~json'],
    /Media type `application\/json` was removed/,
  ],
  [[`${schemas}/TaskTitle/maxLength`, 100], /TaskTitle.*`maxLength` .* to '100'/],
  [
    [`${schemas}/RunEvent/oneOf/run.started/properties/data`, { $ref: '#/components/schemas/MessageDelta' }],
    /Property `status` of `data` was removed/,
  ],
  [[`${schemas}/TaskTitle/minLength`, 3], /TaskTitle.*`minLength` .* to '3'/],
  [[`${schemas}/TaskFields/required`, ['tags']], /`TaskFields` became required: `tags`/],
  [[`${schemas}/TaskFields/properties/metadata`], /Property `metadata` of requests was removed/],
  [[`${schemas}/TaskFields/additionalProperties`, false], /`additionalProperties` of `TaskFields` was set/],
  [
    [`${schemas}/TaskPriority/anyOf`, [{ type: 'string', maxLength: 255 }, { type: 'null' }]],
    /TaskPriority\/anyOf.*subschema of `priority` was removed/,
  ],
  [[`${schemas}/ShortText/type`, 'string'], /ShortText.* narrowed from 'string | null' to 'string'/],
  [[`${schemas}/ShortText/enum`, ['a', 'b']], /ShortText.* was set to 'a', 'b'/],
  [[`${schemas}/DateOrTimestamp/format`, 'date'], /`format` of `DateOrTimestamp` was set to 'date'/],
  [
    [`${schemas}/DateOrTimestamp/anyOf`, [{ format: 'date' }, { enum: [''] }]],
    /`anyOf` of `DateOrTimestamp` was added/,
  ],
  [[`${schemas}/ChartRequest/properties/chart_type/enum/pie`], /Enum of `chart_type` lost values: 'pie'/],
  [[`${schemas}/ChartRequest/properties/width/default`, 640], /width.*default changed from 800 to 640/],
  [[`${schemas}/ChartRequest/properties/width/maximum`, 100], /Upper bound of `width` .* to '<= 100'/],
  [[`${schemas}/ChartRequest/properties/data/minItems`, 1], /`minItems` of `data` was set to '1'/],
  [[`${schemas}/DataPoint/required`, ['label', 'value', 'color']], /`DataPoint` became required: `color`/],
  [[`${schemas}/SkillName/pattern`, '^x'], /`pattern` of `SkillName` was set/],
  [[`${create}/responses/201`], /Status `201` was removed/],
  [[`${create}/responses/418`, { description: 'Teapot.' }], /Status `418` is new/],
  [['paths/~api~tasks~{id}~comments/post/responses/201/headers/Location'], /header `Location` was removed/],
  [['components/headers/ETag/required', false], /ETag.* header may be missing/],
  [
    ['components/headers/RetryAfter/schema/type', 'string'],
    /RetryAfter.* widened from 'integer' to 'string'/,
  ],
  [[`${runAgent}/responses/200/content/text~event-stream`], /Media type `text\/event-stream` was removed/],
  [[`${schemas}/Task/properties/tags`], /Property `tags` of `Task` was removed/],
  [[`${schemas}/Task/required/title`], /`Task` are no longer required: `title`/],
  [[`${schemas}/Task/properties/title/type`, ['string', 'null']], /Task.*title.* widened .* 'string | null'/],
  [[`${schemas}/Task/properties/id/format`], /Task.*`format` of `id` was removed/],
  [[`${schemas}/TaskList/properties/count/minimum`, -1], /Lower bound of `count` .* to '>= -1'/],
  [[`${schemas}/TaskList/properties/count/type`, 'number'], /`count` widened from 'integer' to 'number'/],
  [[`${schemas}/DeletedTask/properties/deleted/const`], /`const` of `deleted` was removed/],
  [[`${schemas}/ErrorCode/enum/-`, 'Teapot'], /ErrorCode.* gained values: 'Teapot'/],
  [[`${schemas}/RunStatus/enum/-`, 'paused'], /RunStatus.* gained values: 'paused'/],
  [[`${schemas}/Run/properties/usage/anyOf/-`, { type: 'string' }], /subschema of `usage` was added/],
  [[`${schemas}/MessageDelta/properties/text`], /MessageDelta.*`text` of `data` was removed/],
  [[`${schemas}/PngImage/properties/png_base64/contentEncoding`], /`contentEncoding` of `png_base64` was/],
];

/** Changes that break no client, and the pointers of the additions. */
const harmless: readonly (readonly [Mutation, string?])[] = [
  [['info/description', 'Other words.']],
  [
    [
      'paths/~api~projects',
      { get: { operationId: 'listProjects', responses: { 200: { description: 'All.' } } } },
    ],
    '#/paths/~1api~1projects',
  ],
  [[`${list}/security`, []]],
  [
    [`${list}/parameters/-`, { name: 'color', in: 'query', schema: { type: 'string' } }],
    `#/paths/~1api~1tasks/get/parameters/${contract.paths['/api/tasks'].get.parameters.length}`,
  ],
  [[`${create}/requestBody/required`, false]],
  [[`${create}/responses/413`]],
  [
    [`${create}/responses/201/headers/Age`, { schema: { type: 'integer' } }],
    '#/paths/~1api~1tasks/post/responses/201/headers/Age',
  ],
  [
    [`${list}/responses/200/content/text~csv`, { schema: { type: 'string' } }],
    '#/paths/~1api~1tasks/get/responses/200/content/text~1csv',
  ],
  [['components/parameters/IdempotencyKey/schema/pattern']],
  [[`${schemas}/TaskTitle/maxLength`, 1000]],
  [[`${schemas}/TaskCreate/allOf/object/required`, []]],
  [[`${schemas}/TaskFields/properties/color`, { type: 'string' }], 'allOf/0/properties/color'],
  [[`${schemas}/ChartRequest/properties/chart_type/enum/-`, 'radar'], 'chart_type · enum'],
  [[`${schemas}/ChartRequest/properties/width/type`, 'number']],
  [[`${schemas}/Task/properties/color`, { type: 'string' }], 'tasks/items/properties/color'],
  [[`${schemas}/Agent/properties/status/enum/unavailable`]],
  [[`${schemas}/Agent/properties/instructions/type`, 'string']],
  [[`${schemas}/Run/properties/error/anyOf/RunError`]],
  [[`${schemas}/Problem/required/-`, 'errors']],
  [[`${schemas}/TaskList/properties/count/maximum`, 1000]],
];

describe('the check for breaking changes', async () => {
  const { status, output } = await check(changed(breaking));

  it('fails for breaking changes', () => {
    expect({ status, output }).toEqual({
      status: 1,
      output: expect.stringMatching(/^Compared with openapi\/released\/0\.10\.0\.json:\n {2}/) as string,
    });
  });

  it.each(breaking)('names the breaking change %j', (_mutation, sentence) => {
    expect(output.split('\n').filter((line) => sentence.test(line))).not.toEqual([]);
  });

  it('passes an unchanged contract, without a word', async () => {
    expect(await check(contract)).toEqual({ status: 0, output: '' });
  });

  it('passes compatible changes, and names the additions in the comment on a pull request', async () => {
    for (const [mutation] of harmless) expect(set(contract, mutation)).not.toEqual(contract);

    const { status: passed, output: comment } = await check(changed(harmless), '# None.\n', '--markdown');

    expect({ passed, comment }).toEqual({ passed: 0, comment: expect.not.stringContaining('###') as string });
    for (const [, addition = ''] of harmless) expect(comment).toContain(addition);
  });
});

/** The contract with all of the changes at once, because each comparison takes a second. */
function changed(mutations: readonly (readonly [Mutation, unknown?])[]): object {
  return mutations.reduce<object>((document, [mutation]) => set(document, mutation), contract);
}

it('the check passes where there is no release yet', async () => {
  expect(run(await createFolder())).toEqual({
    status: 0,
    output: expect.stringMatching(/^No contract is in openapi\/released\/ yet/) as string,
  });
});

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
