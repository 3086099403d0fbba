import { hash } from 'node:crypto';
import type { Context } from 'koa';
import { acceptedType } from './accepted-type.ts';
import type { HttpResponse } from './http-response.ts';

/** A file, made from the JSON body, that a client may accept instead of JSON. */
export type AnyRepresentations = Readonly<
  Record<string, { readonly fileName: string; readonly bytesOf: (body: unknown) => Buffer }>
>;

/** Bytes to send as they are. */
interface FileBody {
  readonly mediaType: string;
  readonly bytes: Buffer;
}

export function isFileBody(body: object): body is FileBody {
  return 'bytes' in body && Buffer.isBuffer(body.bytes);
}

/** The response in the media type that the client prefers (RFC 9110, section 12.5.1). The default is JSON. */
export function represent(
  response: HttpResponse,
  representations: AnyRepresentations,
  ctx: Context,
): HttpResponse {
  const mediaType = acceptedType(ctx, ['application/json', ...Object.keys(representations)]);
  const representation = mediaType === undefined ? undefined : representations[mediaType];
  if (mediaType === undefined || representation === undefined) return response;
  ctx.vary('Accept');
  const bytes = representation.bytesOf(response.body);
  const headers = {
    ...response.headers,
    ETag: `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`,
    'Content-Disposition': `inline; filename="${representation.fileName}"`,
  };
  const body: FileBody = { mediaType, bytes };
  return { ...response, headers, body };
}
