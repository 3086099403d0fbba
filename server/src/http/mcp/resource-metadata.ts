import document from '../../generated/openapi.json' with { type: 'json' };
import { answerGetOnly, type Pages } from '../page.ts';
import { mcpPath } from './mcp.ts';

const path = `/.well-known/oauth-protected-resource${mcpPath}`;

interface ResourceOptions {
  /** The origin at which clients reach this server. */
  readonly publicUrl: string | undefined;
  readonly issuer: string | undefined;
  /** The scopes that clients ask the issuer for. */
  readonly scopes: readonly string[];
}

/** The address of the metadata; undefined unless both the address of this server and the issuer are configured. */
export function resourceMetadataUrl({
  publicUrl,
  issuer,
}: Omit<ResourceOptions, 'scopes'>): string | undefined {
  return publicUrl === undefined || issuer === undefined ? undefined : publicUrl + path;
}

/**
 * OAuth 2.0 Protected Resource Metadata (RFC 9728), which everyone may read. They name the issuer of tokens for `/mcp`.
 */
export function resourceMetadata({ publicUrl, issuer, scopes }: ResourceOptions): Pages {
  if (resourceMetadataUrl({ publicUrl, issuer }) === undefined) return {};
  const metadata = JSON.stringify({
    resource: `${publicUrl ?? ''}${mcpPath}`,
    authorization_servers: [issuer],
    bearer_methods_supported: ['header'],
    ...(scopes.length > 0 && { scopes_supported: scopes }),
    resource_name: document.info.title,
  });
  return {
    [path]: (ctx) =>
      answerGetOnly(ctx, () => {
        ctx.body = metadata;
        ctx.type = 'application/json';
        return Promise.resolve();
      }),
  };
}
