import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** Headers that the response of a named example has in addition. */
type ExampleHeaders = ReadonlyMap<string, Readonly<Record<string, string>>>;

const binary = /^(?:image\/png|application\/pdf)\b/;

/**
 * Passes requests to Prism, and turns its examples of pictures into bytes: a document in JSON has only text, of which each
 * character stands for one.
 */
export function createMockServer(prismUrl: string, exampleHeaders: ExampleHeaders): Server {
  return createServer((incoming, outgoing) => {
    const { headers, name } = preferred(incoming);
    const { method, url = '/' } = incoming;
    const forwarded = request(new URL(url, prismUrl), { method, headers }, (response) => {
      answer(response, outgoing, exampleHeaders.get(name ?? '') ?? {}).catch((error: unknown) => {
        outgoing.destroy(error instanceof Error ? error : undefined);
      });
    });
    forwarded.on('error', () => outgoing.writeHead(502).end());
    incoming.pipe(forwarded);
  });
}

/** The name of the example. The page that a cursor leads to is the last one, so it is the default example. */
function preferred({ headers, url = '' }: IncomingMessage): {
  headers: IncomingMessage['headers'];
  name: string | undefined;
} {
  const { prefer, ...others } = headers;
  const name = /\bexample=([\w-]+)/.exec(String(prefer))?.[1];
  if (name !== undefined && /[?&]cursor=./.test(url)) return { headers: others, name: undefined };
  return { headers, name };
}

async function answer(
  response: IncomingMessage,
  outgoing: ServerResponse,
  further: Readonly<Record<string, string>>,
): Promise<void> {
  const { statusCode = 502, headers } = response;
  const body = await buffer(response);
  const isBinary = binary.test(headers['content-type'] ?? '');
  const bytes = isBinary ? Buffer.from(body.toString('utf8'), 'latin1') : body;
  const { 'transfer-encoding': _chunked, ...kept } = headers;
  const added = statusCode < 300 ? further : {};
  outgoing.writeHead(statusCode, { ...kept, ...added, 'content-length': bytes.length }).end(bytes);
}
