import { createHash } from 'node:crypto';
import type { Contract } from '../contract/contract.ts';
import type { ContractOperation } from '../contract/schema.ts';
import { throwRepeatable } from '../db/errors.ts';
import { writeOnce } from '../db/idempotency-keys.ts';
import { repeatOnConflict } from '../db/repeat-on-conflict.ts';
import type { Db } from '../db/tables.ts';
import type { FairQueue } from '../limits/fair-queue.ts';
import type { Limits } from '../limits/limits.ts';
import type { CountRequest, Rate } from '../limits/rate-limit.ts';
import type {
  Call,
  Operation,
  OperationId,
  Operations,
  Principal,
  RequestParts,
  ResponseContext,
} from '../operation.ts';
import { bodyValuesMaxDefault } from './request/json-limits.ts';
import type { RequestState } from './request/request-state.ts';
import type { HttpResponse, PlannedResponse } from './response/http-response.ts';

/** A request for an operation, from an HTTP client or from a tool call. */
export interface OperationRequest {
  readonly operation: OperationId;
  readonly path: Readonly<Record<string, unknown>>;
  /** Resolves to the caller. Rejects with 401, or with 503 while the keys for tokens cannot be fetched. */
  readonly authenticate: () => Promise<Principal>;
  /**
   * Receives the rest of the request. Resolves to a function that parses it and accepts a body of at most `valuesMax`
   * values.
   */
  readonly receive: (
    caller: Principal,
  ) => Promise<(valuesMax: number) => Promise<Omit<RequestParts, 'path'>>>;
  readonly response: ResponseContext;
  /** Collects facts about the request, for the log and for error responses. */
  readonly state: RequestState;
}

export type HandleRequest = (request: OperationRequest) => Promise<HttpResponse>;

interface HandlerOptions<Services> {
  readonly contract: Contract;
  readonly operations: Operations<Services>;
  readonly services: Services;
  readonly limits: Pick<Limits, 'requests' | 'pictures' | 'responses'>;
  readonly queue: FairQueue;
  readonly countRequest: CountRequest;
}

/** An operation whose id is known only at run time. The contract has validated its call. */
type AnyOperation<Services> = Operation<OperationId, Services> & {
  readonly findErrors?: (body: never) => [];
  readonly prepare?: (call: Call<OperationId>, services: Services) => Promise<void>;
  readonly afterCommit?: (
    committed: HttpResponse,
    call: Omit<Call<OperationId>, 'body'>,
    services: Services,
    response: ResponseContext,
  ) => Promise<HttpResponse>;
};

interface Committed {
  readonly committed: HttpResponse;
  readonly call: Omit<Call<OperationId>, 'body'>;
}

/** Handles the requests for all operations. Each request takes the steps below in order. A thrown Problem ends it. */
export function createRequestHandler<Services extends { readonly db: Db }>(
  options: HandlerOptions<Services>,
): HandleRequest {
  const { contract, operations, services, limits, queue, countRequest } = options;

  async function handleRequest(request: OperationRequest): Promise<HttpResponse> {
    const { operation: id, state, response } = request;
    const operation = operations[id] as AnyOperation<Services>;
    state.operation = id;
    state.isSafe = operation.isSafe ?? contract.operation(id).method === 'get';
    const caller = await request.authenticate();
    state.caller = caller;
    // Reject a caller whose share is used up before counting or reading anything of the request.
    limits.responses.assertRoom(caller.id);
    limits[operation.paintsPicture === true ? 'pictures' : 'requests'].assertRoom(caller.id);
    const rate = rateOf(contract.operation(id), operation);
    state.rateLimitHeaders = await countRequest(rate, request, caller).catch(throwRepeatable);
    const { committed, call } = await execute(request, operation, caller);
    return operation.afterCommit?.(committed, call, services, response) ?? committed;
  }

  /**
   * Receives and validates a request, runs its operation and commits its write. The result has no body, because
   * `afterCommit` may take minutes.
   */
  async function execute(
    request: OperationRequest,
    { bodyValuesMax = bodyValuesMaxDefault, paintsPicture, prepare, ...checks }: AnyOperation<Services>,
    caller: Principal,
  ): Promise<Committed> {
    const { operation: id, path, state, response } = request;
    const parse = await request.receive(caller);
    const validate = async (): Promise<Call<OperationId>> => {
      const parts = contract.validate(id, { path, ...(await parse(bodyValuesMax)) }, checks);
      // The type comes from the contract, which has validated the parts.
      return { caller, requestId: state.requestId, ...parts } as unknown as Call<OperationId>;
    };
    const run = async (fullCall: Call<OperationId>): Promise<Committed> => {
      const committed = await planAndCommit(request, fullCall);
      const { body: _, ...call } = fullCall;
      return { committed, call };
    };
    if (paintsPicture !== true && prepare === undefined)
      return queue.run(caller.id, response, async () => run(await validate()));
    const validated = await queue.run(caller.id, response, validate);
    if (paintsPicture === true) return run(validated);
    await limits.requests.run(caller.id, async () => prepare?.(validated, services));
    return queue.run(caller.id, response, () => run(validated));
  }

  /** Plans the reply and executes its write. With an idempotency key, the write happens only once. */
  async function planAndCommit(
    { operation: id, state, response }: OperationRequest,
    call: Call<OperationId>,
  ): Promise<HttpResponse> {
    const handle = () => contract.handlerOf(id)(call, services, response);
    const key = keyOf(contract.operation(id), call.headers);
    const commit = async (): Promise<HttpResponse> => {
      if (key !== undefined) return writeUnderKey(services.db, id, key, call, handle);
      return repeatOnConflict(async () => {
        const { write, ...reply } = await handle();
        await write?.(services.db);
        return reply;
      });
    };
    return key !== undefined || state.isSafe === true ? commit().catch(throwRepeatable) : commit();
  }

  return handleRequest;
}

function rateOf({ responses }: ContractOperation, { startsRun }: { readonly startsRun?: true }): Rate {
  if (startsRun === true) return 'run';
  return responses[429] === undefined ? 'unlimited' : 'request';
}

/** The idempotency key of a request; undefined if the request has none or the operation takes none. */
function keyOf(
  { parameters = [] }: ContractOperation,
  headers: Readonly<Record<string, unknown>>,
): string | undefined {
  const key = headers['idempotency-key'];
  const takesKey = parameters.some(({ name }) => name === 'Idempotency-Key');
  return takesKey && typeof key === 'string' && key !== '' ? key : undefined;
}

/** Executes the write once for the idempotency key. A repeated request gets the stored response. */
async function writeUnderKey(
  db: Db,
  operation: OperationId,
  key: string,
  { caller, path, body }: Call<OperationId>,
  handle: () => PlannedResponse | Promise<PlannedResponse>,
): Promise<HttpResponse> {
  const requestHash = createHash('sha256')
    .update(canonicalJson([operation, path, body]))
    .digest('base64');
  const row = { user_id: caller.id, key, request_hash: requestHash };
  const once = await writeOnce(db, row, async () => {
    const { write, ...response } = await handle();
    if (write === undefined) throw new Error(`${operation} takes an Idempotency-Key, but plans no write.`);
    return { reply: response, write };
  });
  if ('reply' in once) return once.reply;
  // What `handle` returned for the first request under this key.
  const storedReply = JSON.parse(once.earlier) as HttpResponse;
  return { ...storedReply, headers: { ...storedReply.headers, 'Idempotency-Replayed': 'true' } };
}

/** JSON with sorted keys, so that the order of keys makes no difference. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`);
  return `{${members.join()}}`;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
