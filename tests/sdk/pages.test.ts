import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createClient, type Client, type RetryWait, type StreamState } from '../../sdk/src/index.ts';
import { collect, hang, sseEvent, sseStream, startFakeServer } from './fake-server.ts';
import { completed, heartbeat, run, started } from './samples.ts';

const ready = sseEvent('ready', { cursor: '1' }, '1');
const ofStream = { 'Content-Type': 'text/event-stream' };

/** A page whose state the test changes. */
function stubPage() {
  const document = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  const window = new EventTarget();
  const navigator = { onLine: true };
  vi.stubGlobal('document', document);
  vi.stubGlobal('navigator', navigator);
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window));
  vi.stubGlobal('removeEventListener', window.removeEventListener.bind(window));
  return {
    setVisibility(visibilityState: 'visible' | 'hidden') {
      document.visibilityState = visibilityState;
      document.dispatchEvent(new Event('visibilitychange'));
    },
    setOnline(onLine: boolean) {
      navigator.onLine = onLine;
      window.dispatchEvent(new Event(onLine ? 'online' : 'offline'));
    },
  };
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Follows changes until the test ends. */
function follow(client: Client, deadlineMs?: number) {
  const controller = new AbortController();
  const states: StreamState[] = [];
  const options = {
    onState: (state: StreamState) => states.push(state),
    signal: controller.signal,
    deadlineMs,
  };
  const ended = collect(client.tasks.changes({ after: '0' }, options)).catch((error: unknown) => error);
  onTestFinished(async () => {
    controller.abort();
    await ended;
  });
  return { ended, state: () => states.at(-1) };
}

/** A fetch whose only response is a stream that the test writes. */
function openStream() {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  return {
    fetch: vi.fn(() => Promise.resolve(new Response(readable, { headers: ofStream }))),
    write: (text: string) => writer.write(new TextEncoder().encode(text)),
  };
}

describe('a stream of a page', () => {
  it('of a run is closed while the page is hidden, and goes on when page and network are there again', async () => {
    const page = stubPage();
    vi.useFakeTimers();
    const cancel = vi.fn();
    const open = new ReadableStream({
      start: (events) => {
        events.enqueue(new TextEncoder().encode(started));
      },
      cancel,
    });
    const fetch = vi
      .fn(() => Promise.resolve(new Response(started + completed, { headers: ofStream })))
      .mockResolvedValueOnce(new Response(open, { headers: ofStream }))
      .mockRejectedValueOnce(new TypeError('fetch failed'));
    const { runs } = createClient({ baseUrl: 'http://localhost', token: 't', fetch });
    const events = runs.stream(run.id)[Symbol.asyncIterator]();
    expect(await events.next()).toMatchObject({ value: { event: 'run.started' } });

    const next = events.next().catch((error: unknown) => error);
    page.setVisibility('hidden');
    await vi.advanceTimersByTimeAsync(120_000);
    expect(cancel).toHaveBeenCalledOnce();
    page.setVisibility('visible');
    await vi.advanceTimersByTimeAsync(10_000);

    expect(await next).toMatchObject({ value: { event: 'run.completed' } });
    expect(fetch).toHaveBeenCalledTimes(3);
  });

  it.each(['hidden', 'visible'] as const)(
    'throws a TimeoutError at its deadline, even when it is %s after a pause',
    async (visibility) => {
      const page = stubPage();
      const server = await startFakeServer(sseStream([ready], 'hang'), hang);
      const { ended, state } = follow(server.client(), 1_000);
      await expect.poll(() => state()?.state).toBe('live');

      page.setVisibility('hidden');
      await expect.poll(() => state()?.state).toBe('paused');
      page.setVisibility(visibility);

      expect(await ended).toMatchObject({ name: 'TimeoutError', limit: 'deadline' });
    },
  );

  it('says that the device is offline, and is opened at once when it is online', async () => {
    const page = stubPage();
    const server = await startFakeServer(sseStream([ready], 'hang'));
    const { state } = follow(server.client());
    await expect.poll(() => state()?.state).toBe('live');

    page.setOnline(false);
    const reason = 'ConnectionError: The device is offline.';
    await expect.poll(state).toMatchObject({ state: 'offline', reason });
    page.setOnline(true);

    await expect.poll(() => state()?.state).toBe('live');
  });

  it('stays open although the device is offline, because the server may be on the device', async () => {
    const page = stubPage();
    page.setOnline(false);
    vi.useFakeTimers();
    const { fetch, write } = openStream();
    const { tasks } = createClient({ baseUrl: 'http://localhost', token: 't', fetch });
    const changes = tasks.changes({ after: '0' })[Symbol.asyncIterator]();
    const next = changes.next();
    await write(ready);
    await vi.advanceTimersByTimeAsync(5_000);

    await write(sseEvent('change', { id: '1', cursor: '2' }, '2'));

    expect(fetch).toHaveBeenCalledTimes(1);
    expect(await next).toMatchObject({ value: { cursor: '2' } });
    await changes.return?.();
  });

  it('can be left while its token is not there yet', async () => {
    const locks = { query: () => Promise.resolve(), request: () => Promise.resolve() };
    vi.stubGlobal('navigator', { locks });
    vi.stubGlobal('location', { origin: 'http://localhost' });
    const token = (): Promise<string> => new Promise(() => undefined);
    const { tasks, runs } = createClient({ baseUrl: '/', token });
    const signal = AbortSignal.timeout(50);

    for (const stream of [tasks.changes({ after: '0' }, { signal }), runs.stream('1', { signal })])
      await expect(collect<unknown>(stream)).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('is lost after 20 seconds without a heartbeat, whatever the limit of an attempt is', async () => {
    vi.useFakeTimers();
    const { fetch, write } = openStream();
    const waits: RetryWait[] = [];
    const onRetry = (wait: RetryWait): void => void waits.push(wait);
    follow(createClient({ baseUrl: 'http://localhost', token: 't', fetch, onRetry, timeoutMs: 5_000 }));

    await vi.advanceTimersByTimeAsync(15_000);
    await write(heartbeat);
    await vi.advanceTimersByTimeAsync(19_999);
    expect(waits).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(waits).toHaveLength(1);
  });
});
