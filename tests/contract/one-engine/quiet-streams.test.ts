import { expect, it, onTestFinished, vi } from 'vitest';
import { startTestServer } from '../../support/server.ts';
import { createTask } from '../../support/tasks.ts';
import { tokenFor } from '../../support/tokens.ts';

const server = await startTestServer();

it('the silence of a stream is filled with comments, and the event after it still comes', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const headers = { Authorization: `Bearer ${await tokenFor('alice')}`, Accept: 'text/event-stream' };
  const { body } = await fetch(`${server.url}/api/changes?after=now`, { headers });
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let received = '';
  const receive = async (expected: string): Promise<void> => {
    while (!received.includes(expected)) received += (await reader?.read())?.value ?? '';
  };
  await receive('event: ready\n');

  vi.advanceTimersByTime(15_000);

  await receive('\n\n: still here\n\n');
  await createTask(await server.as('alice'));
  await receive('\n\nevent: change\n');
  await reader?.cancel();
  const lines = received.match(/^(?:event: \w+|: still here)$/gm);
  expect(lines).toEqual(['event: ready', ': still here', 'event: change']);
});
