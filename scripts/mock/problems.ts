import type { ErrorCode, Schemas } from '../../server/src/contract/operation.ts';
import { errorCodes } from '../../server/src/contract/problem.ts';
import { operations } from '../../server/src/contract/registry.ts';

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

/** The other problems that an operation may have with the status of the contract's example, as examples by code. */
export function problemsOf(
  operation: string,
  { errors: _, ...example }: Schemas['Problem'],
): Record<string, { readonly value: Schemas['Problem'] }> {
  const common: readonly ErrorCode[] = [
    ...(['VALIDATION_ERROR', 'Bad Request'] as const),
    ...(withoutDatabase.test(operation) ? [] : (['Database error', 'Query error'] as const)),
    failures[operation]?.failure ?? 'Server Error',
  ];
  const codes = [...common, ...(further[operation] ?? [])].filter(
    (code) => code !== example.code && errorCodes[code][0] === example.status,
  );
  return Object.fromEntries(
    codes.map((code) => [
      code.toLowerCase().replaceAll(' ', '_'),
      { value: { ...example, detail: errorCodes[code][1], code, error: code } },
    ]),
  );
}
