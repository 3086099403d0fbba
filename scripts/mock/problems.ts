import { STATUS_CODES } from 'node:http';
import { errorCodes } from '../../server/src/errors.ts';
import type { ErrorCode, Schemas } from '../../server/src/operation.ts';

/** The codes of the responses that have several; the first is the one of the contract's example. */
const codesByResponse: Readonly<Record<string, readonly ErrorCode[]>> = {
  BadRequest: ['VALIDATION_ERROR', 'Bad Request', 'No fields to update', 'Agent unavailable'],
  ChartRefused: ['SVG_PARSE_ERROR', 'VALIDATION_ERROR', 'Bad Request'],
  ChartFailure: ['RENDER_ERROR', 'PNG_ENCODE_ERROR', 'PDF_SAVE_ERROR'],
  CommentNotFound: ['Comment not found', 'Task not found'],
  TaskFailure: [
    'Database error',
    'Query error',
    'Failed to list tasks',
    'Failed to create task',
    'Failed to get task',
    'Failed to update task',
    'Failed to delete task',
    'Failed to assign task',
    'Failed to change tasks',
    'Failed to list comments',
    'Failed to create comment',
    'Failed to update comment',
    'Failed to delete comment',
    'Failed to list audit logs',
  ],
  AgentFailure: ['Server Error', 'Database error', 'Query error'],
};

interface NamedProblem {
  readonly name: string;
  readonly value: Schemas['Problem'];
}

/** The problems that a response of the contract may have in addition to its example, named after their codes. */
export function namedProblems(response: string): NamedProblem[] {
  return (codesByResponse[response] ?? [])
    .slice(1)
    .map((code) => ({ name: nameOf(code), value: problem(code) }));
}

/** The name of an example: that of "Query error" is `query_error`. */
function nameOf(code: ErrorCode): string {
  return code.toLowerCase().replaceAll(' ', '_');
}

function problem(code: ErrorCode): Schemas['Problem'] {
  const [status, detail] = errorCodes[code];
  return {
    type: 'about:blank',
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail,
    code,
    error: code,
    request_id: '019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57',
  };
}
