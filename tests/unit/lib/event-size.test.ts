import fc from 'fast-check';
import { expect, it } from 'vitest';
import { limitChange, limitMessage, limitRun, splitText } from '../../../server/src/lib/event-size.ts';
import document from '../../../server/src/generated/openapi.json' with { type: 'json' };
import type { Schemas } from '../../../server/src/contract/operation.ts';
import { run, task } from '../../sdk/samples.ts';
import { resolveReferences } from '../../support/contract.ts';
import { ajv } from '../../support/contract-ajv.ts';

const bytesMax = 64 * 1024;
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** Texts of any length that a task may have. Their JSON is up to six times as long. */
const text = fc
  .tuple(fc.constantFrom('x', '"', '\u0001', '🍵'), fc.oneof(fc.nat(65_536), fc.nat(100)))
  .map(([character, length]) => character.repeat(length));
const calls = fc.array(
  text.map((title) => ({ id: 'c', name: 'create_task', arguments: { title } })),
  { minLength: 1, maxLength: 20 },
);

const author = { actor_type: 'human', actor_id: 'alice', created_at: run.created_at } as const;
const changes = fc
  .record({ description: fc.option(text), metadata: fc.option(text), edited: fc.option(text) })
  .map(({ edited, ...texts }): Schemas['Change'] => ({
    ...{ id: task.id, task_id: task.id, workspace_id: null, action: 'update', etag: null, cursor: 'x' },
    ...author,
    payload: JSON.stringify({ changes: { description: { from: edited, to: edited } } }),
    task: { ...task, ...texts },
  }));
const messages = fc
  .record({ content: text, tool_calls: fc.option(calls), file: fc.option(text) })
  .map(({ file, ...parts }): Schemas['Message'] => ({
    ...{ id: run.id, session_id: 's', run_id: run.id, role: 'assistant', partial: false, is_error: false },
    ...{ ...author, ...parts, tool_call_id: null },
    attachments:
      file === null ? null : [{ media_type: 'image/png', name: 'chart', data_base64: base64(file) }],
  }));
const base64 = (bytes: string): string => Buffer.from(bytes).toString('base64');
const runs = fc
  .record({ output: fc.option(text), tool_calls: fc.option(calls) })
  .map(({ output, tool_calls }): Schemas['Run'] => ({
    ...{ ...run, output },
    required_action: tool_calls && { tool_calls, expires_at: run.created_at },
  }));

it.each([
  ['change', 'Change', changes.map((each) => [each, limitChange(each)] as const)],
  ['message', 'Message', messages.map((each) => [each, limitMessage(each)] as const)],
  ['run', 'Run', runs.map((each) => [each, limitRun(each)] as const)],
] as const)(
  'an event with any %s has at most 64 KiB, keeps to the contract, and says if parts are left out',
  (_what, schema, events) => {
    const validate = ajv.compile(Object(resolveReferences(document.components.schemas[schema])));
    fc.assert(
      fc.property(events as fc.Arbitrary<readonly [object, object]>, ([whole, sent]) => {
        expect(bytesOf(sent)).toBeLessThanOrEqual(bytesMax);
        expect(validate(sent)).toBe(true);
        expect('truncated' in sent).toBe(bytesOf(whole) > bytesMax);
        if (!('truncated' in sent)) expect(sent).toBe(whole);
      }),
      { numRuns: 60 },
    );
  },
);

it('the pieces of a text are whole characters, small enough for events', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 4 }), (texts) => {
      const pieces = splitText(texts.join('\n'));

      expect(pieces.join('')).toBe(texts.join('\n'));
      expect(pieces.every((piece) => piece.isWellFormed() && bytesOf(piece) < bytesMax - 1024)).toBe(true);
    }),
  );
});
