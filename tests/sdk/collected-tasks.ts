import { randomUUID } from 'node:crypto';
import { createCollection, type Collection, type UtilsRecord } from '@tanstack/db';
import { onTestFinished } from 'vitest';
import { createClient, type Client, type Task } from '../../sdk/src/index.ts';
import {
  taskCollectionOptions,
  type NewTask,
  type TaskCollectionQuery,
  type TaskSchema,
} from '../../sdk/src/tanstack-db.ts';
import { sharedServer } from '../support/server.ts';

type Gates = Partial<Record<'requests' | 'responses', Promise<undefined>>>;

/**
 * Two clients of a new user without tasks. One belongs to a collection; the other changes the tasks from elsewhere.
 * `hold` holds back the collection's later changes from the server, or the responses to them, until the returned
 * function is called. `streamed` is the text that the collection's streams have received.
 */
export async function newUser(): Promise<
  Record<'other' | 'client', Client> & { hold: (what: keyof Gates) => () => void; streamed: () => string }
> {
  const server = sharedServer();
  const options = { baseUrl: server.url, token: await server.token(randomUUID()) };
  const gates: Gates = {};
  let streamed = '';
  const copy = (response: Response): Response => {
    if (response.headers.get('Content-Type') !== 'text/event-stream') return response;
    const decoder = new TextDecoder();
    const copying = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        controller.enqueue(chunk);
        streamed += decoder.decode(chunk);
      },
    });
    return new Response(response.body?.pipeThrough(copying) ?? null, response);
  };
  const heldFetch = async (request: Request): Promise<Response> => {
    if (request.method === 'GET') return copy(await fetch(request));
    await gates.requests;
    const response = await fetch(request);
    await gates.responses;
    return response;
  };
  const hold = (what: keyof Gates): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    gates[what] = promise;
    return () => {
      resolve(undefined);
    };
  };
  const client = createClient({ ...options, fetch: heldFetch });
  return { other: createClient(options), client, hold, streamed: () => streamed };
}

/** A collection that is used until the end of the test. */
export async function collect(
  client: Client,
  query?: TaskCollectionQuery,
): Promise<Collection<Task, string, UtilsRecord, TaskSchema, NewTask>> {
  const collection = createCollection(taskCollectionOptions(client, query));
  onTestFinished(() => collection.cleanup());
  await collection.preload();
  return collection;
}

export const titles = (collection: { readonly toArray: readonly Task[] }): string[] =>
  collection.toArray.map(({ title }) => title).sort();
