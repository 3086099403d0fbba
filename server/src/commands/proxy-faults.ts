import { randomUUID } from 'node:crypto';
import { signingKey } from '../auth/keys.ts';
import { issueToken } from '../auth/tokens.ts';
import type { Config } from '../config/config.ts';
import { reasonsOf } from '../log.ts';
import { StartupError } from '../startup-error.ts';

const timeoutMs = 5000;

/** Sends requests to PUBLIC_URL, as a client would. They change nothing. */
export async function findProxyFaults({ publicUrl, tokens, dataDir }: Config): Promise<string[]> {
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
  await assertForwards(ask);
  const key = await signingKey(tokens, dataDir).catch(() => undefined);
  if (key !== undefined)
    await assertStreams(ask, await issueToken(key, tokens, { user: 'doctor', name: undefined, ttl: '60s' }));
  const open: string[] = [];
  for (const path of ['/metrics', '/readyz']) {
    if ((await ask(path)).ok)
      open.push(`${publicUrl}${path} answers everyone. The proxy should not forward it.`);
  }
  return open;
}

type Ask = (path: string, headers?: Record<string, string>) => Promise<Response>;

async function assertForwards(ask: Ask): Promise<void> {
  const id = randomUUID();
  const response = await ask('/api/tasks/a%2Fb', { 'X-Request-Id': id });
  const { status, headers } = response;
  await response.body?.cancel();
  if (status !== 401 || headers.get('Content-Type')?.startsWith('application/problem+json') !== true)
    throw new StartupError(
      `PUBLIC_URL answers ${status} to a request without a token, where the server answers 401. Another program answers, or the proxy does not forward the path as it is.`,
    );
  if (headers.get('X-Request-Id') !== id)
    throw new StartupError(
      'The proxy at PUBLIC_URL does not forward X-Request-Id. See "Behind a proxy" in server/README.md for the headers to forward.',
    );
}

/** A stream of changes begins with an event at once. A proxy that buffers holds it back. */
async function assertStreams(ask: Ask, token: string): Promise<void> {
  const headers = { Authorization: `Bearer ${token}`, Accept: 'text/event-stream' };
  const response = await ask('/api/changes?after=now', headers).catch(() => undefined);
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
