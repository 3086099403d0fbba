import type { ErrorCode } from '../../server/src/contract/operation.ts';
import { errorCodes, Problem } from '../../server/src/contract/problem.ts';
import { operations } from '../../server/src/contract/registry.ts';
import { problemBody } from '../../server/src/http/response/error-handler.ts';

/** Error codes that only some operations have, besides the contract's example. */
const further: Readonly<Record<string, readonly ErrorCode[]>> = {
  updateTask: ['No fields to update'],
  assignTask: ['No fields to update'],
  updateAgent: ['No fields to update'],
  updateSession: ['No fields to update'],
  runAgent: ['Agent unavailable', 'Run not found'],
  updateComment: ['Task not found'],
  deleteComment: ['Task not found'],
  renderPng: ['PNG_ENCODE_ERROR'],
  renderPdf: ['PDF_SAVE_ERROR'],
  getLinkedChart: ['PNG_ENCODE_ERROR', 'PDF_SAVE_ERROR'],
};

// Partial, because a new operation may be in the contract before it is in the server.
const failures: Readonly<Partial<Record<string, { readonly failure: ErrorCode }>>> = operations;
const withoutDatabase = /^getMe|Viz|render|Chart$/;

const requestId = '019aa5f2-7c1e-7b43-9d2f-0c8f4e6a1b57';

/** The problems that an operation may have with this status, besides the contract's example, as examples by code. */
export function problemsOf(
  operation: string,
  status: string,
  example: ErrorCode,
): Record<string, { readonly value: unknown }> {
  const common: readonly ErrorCode[] = [
    ...(['VALIDATION_ERROR', 'Bad Request'] as const),
    ...(withoutDatabase.test(operation) ? [] : (['Database error', 'Query error'] as const)),
    failures[operation]?.failure ?? 'Server Error',
  ];
  const codes = [...common, ...(further[operation] ?? [])].filter(
    (code) => code !== example && String(errorCodes[code][0]) === status,
  );
  return Object.fromEntries(
    codes.map((code) => [
      code.toLowerCase().replaceAll(' ', '_'),
      { value: JSON.parse(problemBody(new Problem(code), requestId)) as unknown },
    ]),
  );
}
