import type { Write } from './db/write.ts';
import type { InvalidField } from './errors.ts';
import type { components, operations } from './generated/contract.ts';

export type OperationId = keyof operations;
export type Schemas = components['schemas'];
export type ErrorCode = Schemas['ErrorCode'];
export type FieldError = Schemas['FieldError'];

/** The limit of a request body, after decompression. */
export const bodyBytesMax = 2 ** 20;

/** The caller: the `sub` and the display name of a verified token. */
export interface Principal {
  readonly id: string;
  readonly name: string;
  /** The agent that acts for the user, with the user's rights; undefined for the user's own request. */
  readonly agent?: ActingAgent;
  /** When the token of the request expires, in milliseconds since 1970; undefined if it does not. */
  readonly tokenExpiresAtMs?: number;
  /** The program that sent the request through MCP, if it was one. */
  readonly mcpClient?: McpClient;
}

export interface McpClient {
  /** The name that the program gives itself; undefined if it gives none. */
  readonly name: string | undefined;
}

export interface ActingAgent {
  readonly id: string;
  readonly name: string;
  readonly sessionId: string;
  /** The id of the user who approved the agent's call; undefined if the call needed no approval. */
  readonly approvedBy?: string | undefined;
  /** True if that user changed the arguments. */
  readonly argumentsEdited?: boolean;
}

/** A request after routing, authentication, validation and defaults, as the contract types it. */
export interface Call<Id extends OperationId> {
  readonly caller: Principal;
  readonly path: Parameters<Id, 'path'>;
  readonly query: Parameters<Id, 'query'>;
  readonly headers: HeaderParameters<Id>;
  readonly body: Body<Id>;
  /** As in `X-Request-Id`; undefined for a request that comes from inside the server. */
  readonly requestId?: string;
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

/**
 * An operation that takes an `Idempotency-Key` or an `If-Match`. It writes nothing itself, and returns its write, which
 * is executed together with the key or the comparison. So its changes can be part of another transaction.
 */
export type PlanningOperation = {
  [Id in OperationId]: PlanningHeader & keyof HeaderParameters<Id> extends never ? never : Id;
}[OperationId];
type PlanningHeader = 'idempotency-key' | 'if-match';

/** A reply, and the write that is executed before the reply is sent; undefined if nothing changes. */
export type Planned<Id extends OperationId> = Id extends PlanningOperation
  ? Reply<Id> & { readonly write: Write | undefined }
  : Reply<Id> & { readonly write?: Write | undefined };

export type Handler<Id extends OperationId, Services> = (
  call: Call<Id>,
  services: Services,
  response: ResponseContext,
) => Planned<Id> | Promise<Planned<Id>>;

type AfterCommit<Id extends OperationId, Services> = (
  started: Reply<Id>,
  call: Omit<Call<Id>, 'body'>,
  services: Services,
  response: ResponseContext,
) => Promise<Reply<Id>>;

/** Everything about an operation that the contract does not say. */
export interface Operation<Id extends OperationId, Services> {
  /**
   * Waits for something outside the database that `handle` needs. The request has no turn of the queue meanwhile, so others
   * run.
   */
  readonly prepare?: (call: Call<Id>, services: Services) => Promise<void>;
  /** Runs the operation. It runs again if another writer came before the write that it returns. */
  readonly handle: Handler<Id, Services>;
  /** The code of a failure that the operation does not expect. */
  readonly failure: ErrorCode;
  /**
   * True if the limits by the minute count a request as a run. They count other requests if the contract documents a 429.
   */
  readonly startsRun?: true;
  /**
   * While its picture waits, the handler acquires this limit itself, and the request is not in the queue of requests.
   */
  readonly limit?: 'pictures';
  /** True for a POST that changes nothing. */
  readonly isSafe?: true;
  /**
   * Creates the response of a long operation after the writes of `handle` are committed. It may wait for minutes, so it does
   * not have the body. For a retry under an idempotency key, `started` is the reply to the first request.
   */
  readonly afterCommit?: AfterCommit<Id, Services>;
  /**
   * The errors of a body that its schema cannot express. `handle` throws them for a body that the schema allows. This
   * function lists them for a body that the schema refuses for other reasons; refused fields then have their defaults.
   */
  readonly findErrors?: (body: Body<Id>) => readonly InvalidField[];
  /** The number of values that a body may have, where the default is too small. */
  readonly bodyValuesMax?: number;
  /** False if texts of the body may have characters that Postgres cannot store. */
  readonly storesText?: false;
  /** Other representations of the success, for clients that prefer them to JSON. */
  readonly representations?: Representations<Id>;
}

/** Files by the media types that the contract documents for the success, besides JSON and event streams. */
export type Representations<Id extends OperationId> = {
  readonly [Type in FileType<Id>]: {
    readonly fileName: string;
    readonly bytesOf: (body: JsonBody<Id>) => Buffer;
  };
};

export type Operations<Services, Id extends OperationId = OperationId> = {
  readonly [Each in Id]: Operation<Each, Services>;
};

/** How the response of a request is delivered. */
export interface ResponseContext {
  /** Aborts when the client has disconnected. */
  readonly disconnected: AbortSignal;
  /** True if the client asked for a stream of events rather than one JSON response. */
  readonly acceptsEventStream: boolean;
  /** Adds fields to the log line of the request. */
  readonly addToLog: (fields: Readonly<Record<string, string>>) => void;
}

/** The parts of a request that the contract describes, before validation and defaults. */
export interface RequestParts {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  /** By their lower-case names. */
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** A request that comes from inside the server. */
export interface InternalRequest extends RequestParts {
  readonly caller: Principal;
}

/** Validates and runs an operation as an HTTP request would, but does not execute the write of its reply. */
export type CallOperation<Id extends OperationId> = <Each extends Id>(
  id: Each,
  request: InternalRequest,
) => Promise<Planned<Each>>;

/** Validates a request as an HTTP request would be, without running its operation. Throws a Problem for a refused one. */
export type ValidateRequest<Id extends OperationId> = (id: Id, request: RequestParts) => void;

/** The body of a streamed response. */
export type EventStream = AsyncIterable<Schemas['RunEvent'] | Schemas['ChangeEvent']>;

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

type Success<Id extends OperationId> = operations[Id]['responses'] extends { 200: { content: infer Content } }
  ? Content
  : never;

type FileType<Id extends OperationId> = Exclude<keyof Success<Id>, 'application/json' | 'text/event-stream'>;

type JsonBody<Id extends OperationId> = Success<Id> extends { 'application/json': infer Json } ? Json : never;

type SuccessStatus<Id extends OperationId> = keyof operations[Id]['responses'] & (200 | 201 | 202 | 304);

type ReplyBody<Response> =
  | (Response extends { content: { 'application/json': infer Json } } ? Json : null)
  | (Response extends { content: { 'text/event-stream': unknown } } ? EventStream : never);

/** The headers that the contract documents for a response, except `X-Request-Id`, which every response has. */
type ReplyHeaders<Response> = Response extends { headers: infer Headers }
  ? { readonly [Name in keyof Headers as DocumentedName<Name>]?: string | undefined }
  : never;

type DocumentedName<Name> = string extends Name ? never : Name extends 'X-Request-Id' ? never : Name;

/** The parameters in a location; an object without known keys if there are no parameters. */
type Present<T> = [NonNullable<T>] extends [never] ? object : NonNullable<T>;
