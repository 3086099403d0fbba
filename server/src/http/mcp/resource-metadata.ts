import type { Context } from 'koa';
import type { Config } from '../../config/config.ts';
import document from '../../generated/openapi.json' with { type: 'json' };
import { answerGetOnly, type Pages } from '../page.ts';
import { mcpPath } from './mcp.ts';

const path = `/.well-known/oauth-protected-resource${mcpPath}`;

/**
 * OAuth 2.0 Protected Resource Metadata (RFC 9728), which everyone may read: their address and their page. They name the
 * issuer of tokens for `/mcp`. Undefined unless both the address of this server and the issuer are configured.
 */
export function resourceMetadata({
  publicUrl,
  mcpScopes,
  tokens: { issuer },
}: Pick<Config, 'publicUrl' | 'mcpScopes' | 'tokens'>):
  { readonly url: string; readonly pages: Pages } | undefined {
  if (publicUrl === undefined || issuer === undefined) return undefined;
  const metadata = JSON.stringify({
    resource: `${publicUrl}${mcpPath}`,
    authorization_servers: [issuer],
    bearer_methods_supported: ['header'],
    ...(mcpScopes.length > 0 && { scopes_supported: mcpScopes }),
    resource_name: document.info.title,
  });
  const deliver = (ctx: Context): Promise<void> => {
    ctx.body = metadata;
    ctx.type = 'application/json';
    return Promise.resolve();
  };
  return { url: publicUrl + path, pages: { [path]: (ctx) => answerGetOnly(ctx, () => deliver(ctx)) } };
}
