import { namesOf, shortenPointer } from '../lib/json.ts';
import type { components } from '../generated/contract.ts';

type ErrorCode = components['schemas']['ErrorCode'];
type FieldError = components['schemas']['FieldError'];

const tellOperator = 'Tell the operator and name the request_id.';
const tryAgain = 'Try again, and tell the operator if it keeps failing.';

/** Every error code with its status and the sentence that callers read if there is no more precise one. */
const errorCodes = {
  VALIDATION_ERROR: [400, 'The request has a value that is not allowed. See "errors" for which and why.'],
  'Bad Request': [400, 'The request cannot be read. Check how it is written.'],
  'No fields to update': [400, 'No fields to update. Send at least one field that can be changed.'],
  SVG_PARSE_ERROR: [
    400,
    'The SVG cannot be parsed: a text has a character that XML does not allow. Remove it.',
  ],
  'Agent unavailable': [400, 'The runtime of this agent is not configured on this server.'],
  Unauthorized: [401, 'Send a valid token in the Authorization header, as "Bearer <token>".'],
  'Access denied': [403, 'This task belongs to another user. Only its owner can use it.'],
  'Not found': [404, 'Nothing is served at this path. The contract, at /openapi.json, lists what there is.'],
  'Task not found': [404, 'No task has this id. List the tasks to see which there are.'],
  'Comment not found': [
    404,
    'The task has no comment with this id. List its comments to see which there are.',
  ],
  'Agent not found': [404, 'You have no agent with this id. List the agents to see which there are.'],
  'Run not found': [404, 'You have no run with this id. The response that started a run has its id.'],
  'Session not found': [404, 'You have no session with this id. A run names its session in session_id.'],
  'Method not allowed': [405, 'This path does not have this method. The Allow header lists those it has.'],
  'Link expired': [410, 'The address of this chart has expired. Create a new one.'],
  'Precondition failed': [
    412,
    'The task has changed since the version named by If-Match. Read it again and repeat the change.',
  ],
  'Payload too large': [413, 'The body is too large. Send a smaller one.'],
  'Unsupported media type': [
    415,
    'The body must be JSON in UTF-8. Send it with Content-Type application/json.',
  ],
  'Idempotency key reused': [
    422,
    'This Idempotency-Key was used for a different request. Choose a new key for each new request.',
  ],
  'Headers too large': [431, 'The request line and headers are too large. Send fewer or shorter ones.'],
  'Rate Limited': [429, 'Too many requests. Try again after the time in Retry-After.'],
  'Database error': [500, 'The database cannot be reached or has failed. Try again later.'],
  'Query error': [500, `The database refused a statement. ${tellOperator}`],
  'Failed to list tasks': [500, `The tasks could not be listed. ${tellOperator}`],
  'Failed to create task': [500, `The task could not be created. ${tellOperator}`],
  'Failed to get task': [500, `The task could not be read. ${tellOperator}`],
  'Failed to update task': [500, `The task could not be updated. ${tellOperator}`],
  'Failed to delete task': [500, `The task could not be deleted. ${tellOperator}`],
  'Failed to assign task': [500, `The task could not be assigned. ${tellOperator}`],
  'Failed to change tasks': [500, `The tasks could not be changed. ${tellOperator}`],
  'Failed to list comments': [500, `The comments could not be listed. ${tellOperator}`],
  'Failed to create comment': [500, `The comment could not be created. ${tellOperator}`],
  'Failed to update comment': [500, `The comment could not be changed. ${tellOperator}`],
  'Failed to delete comment': [500, `The comment could not be deleted. ${tellOperator}`],
  'Failed to list audit logs': [500, `The audit log could not be read. ${tellOperator}`],
  'Not implemented': [501, 'This Transfer-Encoding is not supported. Use chunked, or send a Content-Length.'],
  RENDER_ERROR: [500, `The chart could not be rendered. ${tryAgain}`],
  PNG_ENCODE_ERROR: [500, `The PNG could not be encoded. ${tryAgain}`],
  PDF_SAVE_ERROR: [500, `The PDF could not be written. ${tryAgain}`],
  'Server Error': [500, `The server failed. ${tellOperator}`],
  Overloaded: [
    503,
    'The server has more work than it can queue, or you use your whole share. Try again after the time in Retry-After, or close streams that you do not need.',
  ],
} as const satisfies Record<ErrorCode, readonly [status: number, sentence: string]>;

type RunNames = Pick<components['schemas']['Problem'], 'run_id' | 'session_id' | 'waiting_run_ids'>;

interface ProblemOptions {
  readonly errors?: readonly FieldError[] | undefined;
  /** How many seconds to wait before the next attempt, with Overloaded and Rate Limited. */
  readonly retryAfterS?: number | undefined;
  /** Further headers of the response. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Further members of the problem details (RFC 9457, section 3.2): the runs that the problem is about. */
  readonly extensions?: RunNames | undefined;
  /** The cause of the problem. Only the operator's log shows it. */
  readonly cause?: unknown;
}

/** The most errors in a response. A hundred are enough to explain an error that occurs ten thousand times. */
export const fieldErrorsMax = 100;
// Limits the size of the errors too: a hundred errors whose long pointers consist of escapes would take 300 KiB.
const fieldErrorsBytesMax = 48 * 1024;

/** The only error that becomes a response. It has a code of the contract and a sentence for the caller. */
export class Problem extends Error {
  override name = 'Problem';
  readonly code: ErrorCode;
  readonly status: number;
  readonly options: ProblemOptions;

  constructor(code: ErrorCode, sentence: string = errorCodes[code][1], options: ProblemOptions = {}) {
    super(sentence, { cause: options.cause });
    this.code = code;
    this.status = errorCodes[code][0];
    this.options = options;
  }
}

/**
 * An invalid field or parameter. Here, `detail` is only the end of a sentence, such as "must not be blank"; responses
 * have the whole sentence, which begins with the name of the field.
 */
export type InvalidField = FieldError;

/** A Problem for invalid fields and parameters. */
export function validationError(fields: readonly InvalidField[]): Problem {
  const errors = fieldErrors(fields);
  const more = errors.length - 1;
  const rest = more > 0 ? ` There ${more > 1 ? 'are' : 'is'} ${more} more in "errors".` : '';
  return new Problem('VALIDATION_ERROR', `${errors[0]?.detail ?? 'The request is not valid.'}${rest}`, {
    errors,
  });
}

/** The errors of a response in whole sentences: the first hundred, or fewer if they are long. */
export function fieldErrors(fields: readonly InvalidField[]): FieldError[] {
  const errors: FieldError[] = [];
  let bytes = 0;
  for (const { pointer, code, detail } of fields.slice(0, fieldErrorsMax)) {
    const place = shortenPointer(pointer);
    const error = { pointer: place, code, detail: `${fieldName(place)} ${detail}.` };
    bytes += Buffer.byteLength(JSON.stringify(error));
    if (bytes > fieldErrorsBytesMax) break;
    errors.push(error);
  }
  return errors;
}

/**
 * The sentence of an error without the field's name at its beginning, for callers that know the field by another name.
 */
export function predicateOf({ pointer, detail }: FieldError): string {
  return detail.slice(fieldName(pointer).length + 1);
}

/** Returns true if a retry may succeed soon, because the database or a queue is unavailable at the moment. */
export function isTransient(error: unknown): boolean {
  return error instanceof Problem && (error.code === 'Database error' || error.code === 'Overloaded');
}

/** The name of a field at the beginning of a sentence: `/data/0/due_date` becomes "Due date of item 1 of data". */
function fieldName(pointer: string): string {
  if (pointer === '') return 'The body';
  const [place = '', ...names] = namesOf(pointer);
  if (['query', 'header', 'path'].includes(place)) return `The ${place} parameter "${names.join('/')}"`;
  const parts = [place, ...names].map((name) =>
    /^\d+$/.test(name) ? `item ${Number(name) + 1}` : name.replaceAll('_', ' '),
  );
  const text = parts.toReversed().join(' of ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
