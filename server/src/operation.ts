import type { Db } from './db/tables.ts';
import type { components, operations } from './generated/contract.ts';

export type OperationId = keyof operations;
export type Schemas = components['schemas'];
export type ErrorCode = Schemas['ErrorCode'];
export type FieldError = Schemas['FieldError'];

/** The caller: the `sub` and the display name of a verified token. */
export interface Principal {
  readonly id: string;
  readonly name: string;
  /** The agent that acts for the user, with the user's rights; undefined for the user's own request. */
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

/** The implementation of an operation of the contract. */
export interface Operation<Id extends OperationId, Services> {
  /** Runs the operation. Under an `Idempotency-Key`, its writes and the key are one transaction. */
  readonly handle: Handler<Id, Services>;
  /** Throws if the server cannot run the operation now. Called before authentication and before the body is read. */
  readonly admit?: (services: Services) => void;
  /**
   * Creates the response of a long operation: it is called after the writes of `handle` are committed, and may wait. A
   * retry under an idempotency key skips `handle` and calls this with the first reply.
   */
  readonly afterCommit?: (
    started: Reply<Id>,
    call: Call<Id>,
    services: Services,
    response: ResponseContext,
  ) => Promise<Reply<Id>>;
}

export type Operations<Services, Id extends OperationId = OperationId> = {
  readonly [Each in Id]: Operation<Each, Services>;
};

/** How the response of a request is delivered. */
export interface ResponseContext {
  /** Aborts when the client has disconnected. */
  readonly disconnected: AbortSignal;
  /** Whether the client asked for a stream of events rather than one JSON response. */
  readonly acceptsEventStream: boolean;
}

/** A request that comes from inside the server, before validation and defaults. */
export interface InternalRequest {
  readonly caller: Principal;
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** Runs an operation on a database or transaction, validated by the contract like an HTTP request. */
export type CallOperation = <Id extends OperationId>(
  id: Id,
  request: InternalRequest,
  db: Db,
) => Promise<Reply<Id>>;

/** The body of a streamed response. */
export type EventStream = AsyncIterable<Schemas['RunEvent']>;

type Parameters<Id extends OperationId, Location extends 'path' | 'query'> = Readonly<
  Present<operations[Id]['parameters'][Location]>
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

/** The parameters in a location; an object without known keys if the contract has none. */
type Present<T> = [NonNullable<T>] extends [never] ? object : NonNullable<T>;
