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

interface Setup {
  /** A client of somebody else who changes the user's tasks. */
  readonly other: Client;
  /** The collection's own client. */
  readonly client: Client;
  /** Holds back the collection's later changes from the server until the returned function is called. */
  readonly holdRequests: () => () => void;
  /** Holds back the responses to later changes from the collection until the returned function is called. */
  readonly holdResponses: () => () => void;
  /** The text that the collection's streams have received. */
  readonly streamed: () => string;
}

/** The clients of a new user without tasks. */
export async function newUser(): Promise<Setup> {
  const server = sharedServer();
  const { url } = server;
  const token = await server.token(randomUUID());
  let before: Promise<void> | undefined;
  let after: Promise<void> | undefined;
  const fetchWhenLet = async (request: Request): Promise<Response> => {
    if (request.method === 'GET') return copyStream(await fetch(request));
    await before;
    const response = await fetch(request);
    await after;
    return response;
  };
  let streamed = '';
  const decoder = new TextDecoder();
  const copyStream = (response: Response): Response => {
    if (response.headers.get('Content-Type') !== 'text/event-stream') return response;
    const copy = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        controller.enqueue(chunk);
        streamed += decoder.decode(chunk);
      },
    });
    return new Response(response.body?.pipeThrough(copy) ?? null, response);
  };
  const gate = (set: (gate: Promise<void>) => void) => () => {
    let open = (): void => undefined;
    set(new Promise((resolve) => (open = resolve)));
    return open;
  };
  return {
    other: createClient({ baseUrl: url, token }),
    client: createClient({ baseUrl: url, token, fetch: fetchWhenLet }),
    holdRequests: gate((each) => {
      before = each;
    }),
    holdResponses: gate((each) => {
      after = each;
    }),
    streamed: () => streamed,
  };
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
