import { describe, expect, it } from 'vitest';
import { parseEventStream } from '../../sdk/src/event-stream.ts';
import { runEventNames } from '../../sdk/src/follow-run.ts';
import type { RunEvent } from '../../sdk/src/resources.ts';
import { collect } from './fake-server.ts';

function parse(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<RunEvent, void, undefined> {
  return parseEventStream(chunks, runEventNames);
}

describe('parseEventStream', () => {
  const wire =
    '\uFEFF: comment\r\nevent: message.delta\r\ndata: {"text":\r\ndata: "ü"}\r\n\r\nevent: new.kind\ndata: {}\n\ndata: {}\n\nid: 9\n\nevent:message.delta\rdata:{"text":"2"}\r\r';
  const expected = [
    { event: 'message.delta', data: { text: 'ü' } },
    { event: 'message.delta', data: { text: '2' } },
  ];

  it.each([1, 2, 3, 7, 1000])(
    'the parser accepts any line breaks, also CR at the end, in chunks of %i bytes',
    async (size) => {
      const bytes = Buffer.from(wire);

      const events = await collect(parse(chunksOf(bytes, size)));

      expect(events).toEqual(expected);
    },
  );

  it('the parser yields an event that ends with CR before more data arrives', async () => {
    const events = parse(thenHang('event: message.delta\rdata: {"text":"1"}\r\r'));

    expect(await events.next()).toMatchObject({ value: { data: { text: '1' } } });
  });

  it('the parser discards an incomplete event', async () => {
    expect(await collect(parse(chunksOf(Buffer.from('event: message\ndata: {}\n'), 9)))).toEqual([]);
  });
});

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

async function* thenHang(wire: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(wire);
  await new Promise(() => undefined);
}
