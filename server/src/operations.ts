import type { Db } from './db/tables.ts';
import type { components, operations } from './generated/contract.ts';

export type OperationId = keyof operations;
export type Schemas = components['schemas'];
export type ErrorCode = Schemas['ErrorCode'];
export type FieldError = Schemas['FieldError'];

/** Who asks: the `sub` and the display name of a verified token. */
export interface Principal {
  readonly id: string;
  readonly name: string;
  /** The agent that acts for the user, with the user's rights, where it is not the user's own request. */
  readonly agent?: ActingAgent;
}

export interface ActingAgent {
  readonly id: string;
  readonly name: string;
  readonly sessionId: string;
}

/** A request after routing, authentication, validation and defaults, as the contract types it. */
export interface Call<Id extends OperationId> {
  readonly caller: Principal;
  readonly path: Parameters<Id, 'path'>;
  readonly query: Parameters<Id, 'query'>;
  readonly headers: HeaderParameters<Id>;
  readonly body: Body<Id>;
}

/** A documented success. Failures are thrown as Problems. */
export type Reply<Id extends OperationId> = Id extends OperationId
  ? {
      [Status in SuccessStatus<Id>]: {
        readonly status: Status;
        readonly headers?: ReplyHeaders<operations[Id]['responses'][Status]>;
        readonly body: ReplyBody<operations[Id]['responses'][Status]>;
      };
    }[SuccessStatus<Id>]
  : never;

export type Handler<Id extends OperationId, Services> = (
  call: Call<Id>,
  services: Services,
) => Promise<Reply<Id>>;

export type Handlers<Services, Id extends OperationId = OperationId> = {
  readonly [Each in Id]: Handler<Each, Services>;
};

/**
 * The second part of an operation that takes long: it begins once what the handler wrote is committed, may wait, and
 * makes the answer. A repetition under an idempotency key skips the handler and comes here with its first reply.
 */
export type Finisher<Id extends OperationId, Services> = (
  started: Reply<Id>,
  call: Call<Id>,
  services: Services,
  exchange: Exchange,
) => Promise<Reply<Id>>;

export type Finishers<Services, Id extends OperationId = OperationId> = {
  readonly [Each in Id]?: Finisher<Each, Services>;
};

/** What refuses an operation that cannot be taken now, before its caller is known and its body read. */
export type Gates<Services> = { readonly [Id in OperationId]?: (services: Services) => void };

/** The connection on which a finisher answers. */
export interface Exchange {
  /** Aborts when nobody is there any more to read the answer. */
  readonly left: AbortSignal;
  /** Whether the client asked for a stream of events rather than one answer. */
  readonly wantsEvents: boolean;
}

/** A request that comes from inside the server, before validation and defaults. */
export interface InsideRequest {
  readonly caller: Principal;
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** Does an operation on a database or transaction, validated by the contract as if it came over HTTP. */
export type Perform = <Id extends OperationId>(id: Id, request: InsideRequest, db: Db) => Promise<Reply<Id>>;

/** The body of a streamed answer. */
export type EventStream = AsyncIterable<Schemas['RunEvent']>;

type Parameters<Id extends OperationId, Place extends 'path' | 'query'> = Readonly<
  Present<operations[Id]['parameters'][Place]>
>;

/** Header parameters by their lower-case names, as HTTP delivers them. */
type HeaderParameters<Id extends OperationId> = {
  readonly [
    Name in keyof Present<operations[Id]['parameters']['header']> as Lowercase<Name & string>
  ]: Present<operations[Id]['parameters']['header']>[Name];
};

type Body<Id extends OperationId> = operations[Id] extends {
  requestBody: { content: { 'application/json': infer Json } };
}
  ? Json
  : undefined;

type SuccessStatus<Id extends OperationId> = keyof operations[Id]['responses'] & (200 | 201 | 202 | 304);

type ReplyBody<Response> =
  | (Response extends { content: { 'application/json': infer Json } } ? Json : null)
  | (Response extends { content: { 'text/event-stream': unknown } } ? EventStream : never);

/** The headers that the contract documents for a response, except the one that every response has. */
type ReplyHeaders<Response> = Response extends { headers: infer Headers }
  ? { readonly [Name in keyof Headers as DocumentedName<Name>]?: string | undefined }
  : never;

type DocumentedName<Name> = string extends Name ? never : Name extends 'X-Request-Id' ? never : Name;

/** The parameters of a place; an object without known keys where the contract has none. */
type Present<T> = [NonNullable<T>] extends [never] ? object : NonNullable<T>;
