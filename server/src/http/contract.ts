import type { ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Context } from 'koa';
import { OpenAPIBackend, type Document, type HandlerMap, type Request } from 'openapi-backend';
import document from '../generated/openapi.json' with { type: 'json' };
import type { OperationId } from '../operations.ts';

/** An operation of the contract with its references resolved, as far as it is used here. */
export interface Operation {
  readonly operationId: OperationId;
  readonly path: string;
  readonly method: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: object;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: { readonly type?: unknown; readonly default?: unknown };
}

/** What openapi-backend tells a step about a request. */
export interface OperationContext {
  readonly operation: Operation;
  readonly request: { readonly params: unknown; readonly headers: unknown };
  readonly security: { readonly authorized: boolean; readonly bearer: unknown };
  readonly validation: { readonly errors?: ErrorObject[] | null };
}

export type Step = (context: OperationContext, ctx: Context, request: Request) => unknown;

/** Takes a request through the steps of its operation and resolves to what its handler returned. */
export type HandleRequest = (request: Request, ctx: Context) => Promise<unknown>;

/** openapi-backend on the bundled contract, with every validator compiled. */
export async function openContract(steps: Record<string, Step>, bearer: Step): Promise<HandleRequest> {
  const api = new OpenAPIBackend({
    // The JSON module's type is that of its literal; `generate` has checked that it is an OpenAPI document.
    definition: structuredClone(document) as unknown as Document,
    // Its own check of documents knows OpenAPI 3.0 only.
    quick: true,
    strict: true,
    ajvOpts: { allErrors: true, verbose: true, useDefaults: true, strictNumbers: true },
    // `parseQuery` has typed the parameters; Ajv's coercion would let values such as 0x10 through as integers.
    // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment -- OpenAPI 3.1 needs Ajv's core for JSON Schema 2020; it has the same interface.
    customizeAjv: (_ajv, options) => addFormats.default(new Ajv2020({ ...options, coerceTypes: false })),
    // The steps see openapi-backend's context narrowed to what this contract makes it be.
    handlers: steps as unknown as HandlerMap,
    securityHandlers: { bearer } as unknown as HandlerMap,
  });
  await api.init();
  api.validator.preCompileRequestValidators();

  const operations = api.router.getOperations();
  // openapi-backend would build this list again, several times for every request.
  api.router.getOperations = () => operations;
  return (request, ctx) => api.handleRequest(request, ctx, request);
}
