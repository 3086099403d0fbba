import { describe, expect, it } from 'vitest';
import { json, startFakeServer, type Responder } from './fake-server.ts';

const html = `<!doctype html><title>Sign in</title>${'x'.repeat(5000)}`;

function page(status: number, headers: Record<string, string> = {}): Responder {
  return (response) => response.writeHead(status, { 'Content-Type': 'text/html', ...headers }).end(html);
}

async function messageOf(responder: Responder): Promise<{ message: string; url: string }> {
  const server = await startFakeServer(responder);
  const error: unknown = await server
    .client({ retriesMax: 0 })
    .tasks.list({ q: 'private words' })
    .page()
    .catch((reason: unknown) => reason);
  return { message: error instanceof Error ? error.message : 'no error', url: server.url };
}

describe('the error of a response that is not of the service', () => {
  it('says which operation, address, status and type it has, with its first kilobyte', async () => {
    const { message, url } = await messageOf(page(502));

    expect(message).toBe(
      `listTasks received a response from ${url}/api/tasks that is not of this service, with status 502 and the type text/html: ${html.slice(0, 1024)}`,
    );
  });

  it('says so of a page of HTML with a success status', async () => {
    const { message } = await messageOf(page(200));

    expect(message).toContain(
      'with status 200 and the type text/html: <!doctype html><title>Sign in</title>',
    );
  });

  it('has the problem details of another server', async () => {
    const problem = {
      type: 'https://example.com/quota',
      title: 'Quota exceeded',
      detail: 'Come back tomorrow.',
    };
    const { message } = await messageOf(json(403, problem));

    expect(message).toMatch(/with status 403 .*: Quota exceeded: Come back tomorrow\.$/);
  });

  it('names the target of a redirect', async () => {
    const { message } = await messageOf(page(308, { Location: 'https://other.example.com/api/tasks' }));

    expect(message).toMatch(
      /with status 308: a redirect to https:\/\/other\.example\.com\/api\/tasks\. Set baseUrl to the final address\.$/,
    );
  });
});
