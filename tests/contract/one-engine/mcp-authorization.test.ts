import {
  ClientCredentialsProvider,
  Client as McpClient,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../../support/client.ts';
import { freePort } from '../../support/free-port.ts';
import { sendMcp, sendMessage } from '../../support/mcp.ts';
import { startIssuer, type Issuer } from '../../support/oidc-provider.ts';
import { sendRaw } from '../../support/raw.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';

const metadataPath = '/.well-known/oauth-protected-resource/mcp';

describe('with JWT_ISSUER, PUBLIC_URL and JWT_AUDIENCE', () => {
  let issuer: Issuer;
  let server: TestServer;
  let resource: string;
  const lines: string[] = [];

  beforeAll(async () => {
    issuer = await startIssuer(await freePort());
    const port = String(await freePort());
    const publicUrl = `http://127.0.0.1:${port}`;
    resource = `${publicUrl}/mcp`;
    server = await startTestServer({
      log: lines,
      env: {
        JWT_SECRET: '',
        JWT_ISSUER: issuer.url,
        JWT_AUDIENCE: resource,
        PORT: port,
        PUBLIC_URL: publicUrl,
        MCP_SCOPES: 'openid,tasks',
      },
    });
  });

  afterAll(() => {
    issuer.close();
  });

  it('the metadata name the issuer, and have the configured address as a 401 does, whatever Host says', async () => {
    const headers = 'Host: evil.example.com\r\nX-Forwarded-Host: evil.example.com\r\nConnection: close';
    const refused = await sendRaw(server.url, `POST /mcp HTTP/1.1\r\n${headers}\r\n\r\n`);
    const metadata = await sendRaw(server.url, `GET ${metadataPath} HTTP/1.1\r\n${headers}\r\n\r\n`);

    expect(refused).toMatch(/^HTTP\/1\.1 401 /);
    expect(refused).toContain(
      `WWW-Authenticate: Bearer resource_metadata="${new URL(metadataPath, resource).href}"`,
    );
    expect(metadata).toMatch(/^HTTP\/1\.1 200 /);
    expect(JSON.parse(metadata.split('\r\n\r\n')[1] ?? '')).toMatchObject({
      resource,
      authorization_servers: [issuer.url],
      bearer_methods_supported: ['header'],
      scopes_supported: ['openid', 'tasks'],
    });
    expect(refused + metadata).not.toContain('evil');
  });

  it('the official client finds the issuer by itself, gets a token and calls a tool', async () => {
    const { clientId, clientSecret } = issuer;
    const authProvider = new ClientCredentialsProvider({
      ...{ clientId, clientSecret },
      expectedIssuer: issuer.url,
    });
    const client = new McpClient(
      { name: 'assistant', version: '1' },
      { versionNegotiation: { mode: 'auto' } },
    );

    await client.connect(new StreamableHTTPClientTransport(new URL(resource), { authProvider }));
    const { structuredContent } = await client.callTool({ name: 'list_tasks', arguments: {} });
    await client.close();

    expect(structuredContent).toEqual({ tasks: [], count: 0 });
  });

  spec('listTasks', 200, 'operations accept a token of the issuer for this resource', async () => {
    await new Client(server, await issuer.token(resource)).ok('listTasks');
  });

  spec('listTasks', 401, 'a token of the issuer for another resource is refused', async () => {
    const token = await issuer.token('https://other.example.com/mcp');

    await new Client(server, token).fails('listTasks', 401);
    const answer = await sendMessage(server, token, 'tools/list');

    expect(answer.status).toBe(401);
    expect(answer.headers.get('WWW-Authenticate')).toMatch(
      /^Bearer error="invalid_token", error_description="[^"]+", resource_metadata="/,
    );
    expect(lines.join('')).not.toContain(token.split('.')[2]);
  });
});

it('with JWT_ISSUER alone, there are no metadata of the resource, and the challenge names none', async () => {
  const server = await startTestServer({ env: { JWT_ISSUER: 'https://issuer.example.com' } });

  expect((await fetch(server.url + metadataPath)).status).toBe(404);
  expect((await sendMcp(server, '{}')).headers.get('WWW-Authenticate')).toBe('Bearer');
});
