import { once } from 'node:events';
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import { Provider } from 'oidc-provider';

export interface Issuer {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Gets an access token for a resource (RFC 8707) with the client's own credentials. */
  token(resource: string): Promise<string>;
  close(): void;
}

const clientId = 'assistant';
const clientSecret = 'secret-of-the-assistant';

/** Starts an OpenID provider. Its access tokens are JWTs for the resource that the client names. */
export async function startIssuer(port: number): Promise<Issuer> {
  const url = `http://127.0.0.1:${port}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const provider = new Provider(url, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
      },
    ],
    cookies: { keys: ['a key'] },
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_ctx, resource) => ({
          scope: 'tasks',
          audience: resource,
          accessTokenFormat: 'jwt',
        }),
      },
    },
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' }] },
    ttl: { ClientCredentials: 600 },
  });
  const server = createServer((request, response) => {
    void provider.callback()(request, response);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url,
    clientId,
    clientSecret,
    token: (resource) => requestToken(url, resource),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function requestToken(issuer: string, resource: string): Promise<string> {
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', resource, scope: 'tasks' }),
  });
  const body = (await response.json()) as { access_token?: string };
  if (body.access_token === undefined) throw new Error(`The issuer answered ${JSON.stringify(body)}.`);
  return body.access_token;
}
