import type { components, operations } from './generated/contract.ts';

export type OperationId = keyof operations;
export type Schemas = components['schemas'];
export type ErrorCode = Schemas['ErrorCode'];
export type FieldError = Schemas['FieldError'];

/** Who asks: the `sub` and the display name of a verified token. */
export interface Principal {
  readonly id: string;
  readonly name: string;
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
export type Reply<Id extends OperationId> = {
  [Status in SuccessStatus<Id>]: {
    readonly status: Status;
    readonly headers?: ReplyHeaders<operations[Id]['responses'][Status]>;
    readonly body: ReplyBody<operations[Id]['responses'][Status]>;
  };
}[SuccessStatus<Id>];

export type Handler<Id extends OperationId, Services> = (
  call: Call<Id>,
  services: Services,
) => Promise<Reply<Id>>;

export type Handlers<Services, Id extends OperationId = OperationId> = {
  readonly [Each in Id]: Handler<Each, Services>;
};

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

type ReplyBody<Response> = Response extends { content: { 'application/json': infer Json } } ? Json : null;

/** The headers that the contract documents for a response, except the one that every response has. */
type ReplyHeaders<Response> = Response extends { headers: infer Headers }
  ? { readonly [Name in keyof Headers as DocumentedName<Name>]?: string | undefined }
  : never;

type DocumentedName<Name> = string extends Name ? never : Name extends 'X-Request-Id' ? never : Name;

/** The parameters of a place; an object without known keys where the contract has none. */
type Present<T> = [NonNullable<T>] extends [never] ? object : NonNullable<T>;
