import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import document from '../../../server/src/generated/openapi.json' with { type: 'json' };
import { request } from '../../support/raw.ts';
import { sharedServer } from '../../support/server.ts';

const { url } = sharedServer();

describe('the contract', () => {
  it('is served as JSON without a token, and not again to a client that has it', async () => {
    const response = await fetch(`${url}/openapi.json`);
    const headers = { 'If-None-Match': response.headers.get('ETag') ?? '' };

    expect(response.headers.get('Content-Type')).toMatch('application/json');
    expect(await response.json()).toEqual(document);
    expect((await fetch(`${url}/openapi.json`, { headers })).status).toBe(304);
  });

  it('is served as YAML with the same content', async () => {
    const response = await fetch(`${url}/openapi.yaml`);

    expect(response.headers.get('Content-Type')).toMatch('application/yaml');
    expect(parse(await response.text())).toEqual(document);
  });
});

describe('the reference page', () => {
  it('is served without a token, under a policy without inline scripts and other origins', async () => {
    const response = await fetch(`${url}/docs`);

    expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('Content-Security-Policy')).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self';/,
    );
    expect(response.headers.get('Content-Security-Policy')).not.toMatch(/unsafe|http|\*/);
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(response.headers.get('Referrer-Policy')).toBe('no-referrer');
    expect(await response.text()).not.toMatch(/<script>|<style>|https?:/);
  });

  it.each([
    ['GET', '/'],
    ['HEAD', '/'],
    ['GET', '/docs/'],
  ])('is where %s %s leads a browser', async (method, path) => {
    const headers = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

    const response = await fetch(url + path, { method, headers });

    expect(response.url).toBe(`${url}/docs`);
    expect(response.status).toBe(200);
  });

  it('sends its requests to the server that delivers it', async () => {
    const { servers } = (await (await fetch(`${url}/docs/openapi.json`)).json()) as typeof document;

    expect(servers).toEqual([{ url: '/' }]);
  });

  it('does not serve other files of the package', async () => {
    // Sent as raw text, because `fetch` would resolve the dots.
    const answers = await Promise.all(
      ['/docs/package.json', '/docs/../package.json', '/docs/%2e%2e%2fpackage.json'].map((path) =>
        request(url, `GET ${path}`),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });
});
