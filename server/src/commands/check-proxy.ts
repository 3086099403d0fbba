import { randomUUID } from 'node:crypto';
import { signingKey } from '../auth/keys.ts';
import { issueToken } from '../auth/tokens.ts';
import type { Config } from '../config/config.ts';
import { reasonsOf } from '../ops/log.ts';
import { StartupError } from '../lib/startup-error.ts';

const timeoutMs = 5000;

/** Sends requests to PUBLIC_URL, as a client would. They change nothing. */
export async function checkProxy({ publicUrl, tokens, dataDir }: Config): Promise<string[]> {
  if (publicUrl === undefined)
    return ['PUBLIC_URL is not set, so the way of clients to the server was not checked.'];
  const ask = async (path: string, headers: Record<string, string> = {}): Promise<Response> => {
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      return await fetch(publicUrl + path, { headers, redirect: 'manual', signal });
    } catch (error) {
      throw new StartupError(`${publicUrl}${path} cannot be reached: ${reasonsOf(error)}.`);
    }
  };
  const requestId = randomUUID();
  const { status, headers, body } = await ask('/api/tasks/a%2Fb', { 'X-Request-Id': requestId });
  await body?.cancel();
  if (status !== 401 || headers.get('Content-Type')?.startsWith('application/problem+json') !== true)
    throw new StartupError(
      `PUBLIC_URL answers ${status} to a request without a token, where the server answers 401. Another program answers, or the proxy does not forward the path as it is.`,
    );
  if (headers.get('X-Request-Id') !== requestId)
    throw new StartupError(
      'The proxy at PUBLIC_URL does not forward X-Request-Id. See "Behind a proxy" in server/install.md for the headers to forward.',
    );
  const key = await signingKey(tokens, dataDir).catch(() => undefined);
  if (key !== undefined) {
    const token = await issueToken(key, tokens, { user: 'doctor', ttl: '60s' });
    await assertStreams((path) =>
      ask(path, { Authorization: `Bearer ${token}`, Accept: 'text/event-stream' }),
    );
  }
  const open: string[] = [];
  for (const path of ['/metrics', '/readyz'])
    if ((await ask(path)).ok)
      open.push(`${publicUrl}${path} answers everyone. The proxy should not forward it.`);
  return open;
}

/** A stream of changes begins with an event at once. A proxy that buffers holds it back. */
async function assertStreams(ask: (path: string) => Promise<Response>): Promise<void> {
  const response = await ask('/api/changes?after=now').catch(() => undefined);
  if (response !== undefined && response.status !== 200)
    throw new StartupError(
      `PUBLIC_URL answers ${response.status} to a token of this configuration. Either its server has other keys, or the proxy does not forward Authorization.`,
    );
  const reader = response?.body?.getReader();
  const first = await reader?.read().catch(() => undefined);
  await reader?.cancel().catch(() => undefined);
  if (first?.value === undefined)
    throw new StartupError(
      'The proxy at PUBLIC_URL holds event streams back. Switch its buffering off, in nginx by `proxy_buffering off`.',
    );
}
