import type { Write } from '../db/write.ts';
import type { JsonLimits } from '../lib/json-limits.ts';
import type { components, operations } from '../generated/contract.ts';

export type OperationId = keyof operations;
export type Schemas = components['schemas'];
export type ErrorCode = Schemas['ErrorCode'];
export type FieldError = Schemas['FieldError'];

/** The caller: `sub` and display name of a verified token. */
export interface Caller {
  readonly id: string;
  readonly name: string;
  /** The agent that acts for the user, with the user's rights; undefined if the user sent the request. */
  readonly agent?: {
    readonly id: string;
    readonly name: string;
    readonly sessionId: string;
    /** The id of the user who approved the agent's call; undefined if the call needed no approval. */
    readonly approvedBy?: string | undefined;
    /** True if that user edited the arguments. */
    readonly argumentsEdited?: boolean;
  };
  /** When the token of the request expires, in milliseconds since 1970; undefined if it does not. */
  readonly tokenExpiresAtMs?: number;
  /** When requests with the token are refused: a few seconds after its expiry, because clocks differ. */
  readonly tokenRefusedAtMs?: number;
  /** The program that sent the request through MCP, if there is one. */
  readonly mcpClient?: {
    /** The name that the program gives itself; undefined if it gives none. */
    readonly name: string | undefined;
  };
}

/** A request after routing, authentication and validation, with defaults, typed by the contract. */
export interface Request<Id extends OperationId> {
  readonly caller: Caller;
  readonly path: Parameters<Id, 'path'>;
  readonly query: Parameters<Id, 'query'>;
  readonly headers: HeaderParameters<Id>;
  readonly body: Body<Id>;
  /** The `X-Request-Id`; undefined for a request from inside the server. */
  readonly requestId?: string;
}

/** A documented success. Failures are thrown as Problems. */
export type Response<Id extends OperationId> = Id extends OperationId
  ? {
      [Status in SuccessStatus<Id>]: {
        readonly status: Status;
        readonly headers?: ResponseHeaders<operations[Id]['responses'][Status]>;
        readonly body: ResponseBody<operations[Id]['responses'][Status]>;
      };
    }[SuccessStatus<Id>]
  : never;

/** The response of an operation that is known only at run time. It is stored under an idempotency key in this form. */
export interface AnyResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
}

/** An operation with the parameter `Idempotency-Key` or `If-Match`. Its handler returns the write unexecuted. */
export type PlanningOperation = {
  [Id in OperationId]: PlanningHeader & keyof HeaderParameters<Id> extends never ? never : Id;
}[OperationId];
type PlanningHeader = 'idempotency-key' | 'if-match';

/** A response, and the write to execute before it is sent. `write` is undefined if nothing changes. */
type Plan<Id extends OperationId> = Id extends PlanningOperation
  ? Response<Id> & { readonly write: Write | undefined }
  : Response<Id> & { readonly write?: Write | undefined };

export type Handler<Id extends OperationId, Services> = (
  request: Request<Id>,
  services: Services,
  context: RequestContext,
) => Plan<Id> | Promise<Plan<Id>>;

/** Everything that the contract does not say about an operation. */
export interface Operation<Id extends OperationId, Services> {
  /** Runs the operation. Is called again if the returned write does nothing because another writer was first. */
  readonly handle: Handler<Id, Services>;
  /** The code for an unexpected failure of the operation. */
  readonly failure: ErrorCode;
  /** True if rate limits count a request as a run. Other requests are counted if the contract documents 429. */
  readonly startsRun?: true;
  /** True for a POST that changes nothing. */
  readonly isSafe?: true;
  /** False if `handle` needs no database connection. Other requests may then run while it waits. */
  readonly usesDatabase?: false;
  /**
   * Creates the response of a long operation after the write of `handle` is committed. This may take minutes, so the
   * request's body is released. For a retry with an idempotency key, `started` is the response to the first request.
   */
  readonly afterCommit?: (
    started: Response<Id>,
    request: Omit<Request<Id>, 'body'>,
    services: Services,
    context: RequestContext,
  ) => Promise<Response<Id>>;
  /** The limits of the body, if they differ from the limits of most bodies. */
  readonly jsonLimits?: JsonLimits;
  /** False if the body may have characters that Postgres cannot store. */
  readonly storesText?: false;
}

/** An operation that is known only at run time. */
export type AnyOperation = Operation<OperationId, unknown>;

export type Operations<Services, Id extends OperationId = OperationId> = {
  readonly [Each in Id]: Operation<Each, Services>;
};

/** What a handler may know about the client and the connection of a request. */
export interface RequestContext {
  /**
   * Aborts when the client disconnects or closes its side of the connection. Once the client has closed its side,
   * nothing shows whether it is still there.
   */
  readonly disconnected: AbortSignal;
  /** The origin of the address that the request was sent to; empty for a request from inside the server. */
  readonly origin: string;
  /** True if the client requested an event stream instead of one JSON response. */
  readonly acceptsEventStream: boolean;
  /** Returns true if the client prefers a file of this media type to JSON (RFC 9110, section 12.5.1). */
  prefersFile(mediaType: string): boolean;
  /** Counts this request as one that waits for a run. Returns false if the caller may have no more such requests. */
  readonly mayWait: () => boolean;
  /** Adds fields to the log line of the request. */
  readonly addToLog: (fields: Readonly<Record<string, string>>) => void;
}

/** The parts of a request, before validation and defaults. */
export interface RequestParts {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  /** Headers by lower-case name. */
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** Validates and runs an operation like an HTTP request, but does not execute the write. */
export type CallOperation<Id extends OperationId> = <Each extends Id>(
  id: Each,
  request: RequestParts & { readonly caller: Caller },
) => Promise<Plan<Each>>;

/** The body of a streamed response. */
export type EventStream = AsyncIterable<Schemas['RunEvent' | 'SessionEvent' | 'ChangeEvent']>;

type Parameters<Id extends OperationId, Location extends 'path' | 'query'> = Readonly<
  Present<operations[Id]['parameters'][Location]>
>;

/** Header parameters by lower-case name, as Node delivers headers. */
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

type ResponseBody<Documented> = Documented extends { content: infer Content }
  ? { [Type in keyof Content]: BodyOfType<Type, Content[Type]> }[keyof Content]
  : null;

type BodyOfType<Type, Json> = Type extends 'application/json'
  ? Json
  : Type extends 'text/event-stream'
    ? EventStream
    : Buffer;

/** The documented headers of a response, without `X-Request-Id`, which every response has. */
type ResponseHeaders<Documented> = Documented extends { headers: infer Headers }
  ? { readonly [Name in keyof Headers as DocumentedName<Name>]?: string | undefined }
  : never;

type DocumentedName<Name> = string extends Name ? never : Name extends 'X-Request-Id' ? never : Name;

/** The parameters in one location; an empty object if there are none. */
type Present<T> = [NonNullable<T>] extends [never] ? object : NonNullable<T>;
