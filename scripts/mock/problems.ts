import { STATUS_CODES } from 'node:http';
import { errorCodes } from '../../server/src/contract/problem.ts';
import type { ErrorCode, Schemas } from '../../server/src/contract/operation.ts';
import { operations } from '../../server/src/contract/registry.ts';

export interface NamedProblem {
  readonly name: string;
  readonly value: Schemas['Problem'];
}

/** Error codes that only some operations have. */
const further: Readonly<Record<string, readonly ErrorCode[]>> = {
  updateTask: ['No fields to update'],
  assignTask: ['No fields to update'],
  updateAgent: ['No fields to update'],
  updateSession: ['No fields to update'],
  runAgent: ['Agent unavailable', 'Run not found'],
  updateComment: ['Comment not found', 'Task not found'],
  deleteComment: ['Comment not found', 'Task not found'],
  renderSvg: ['SVG_PARSE_ERROR'],
  renderPng: ['SVG_PARSE_ERROR', 'PNG_ENCODE_ERROR'],
  renderPdf: ['SVG_PARSE_ERROR', 'PDF_SAVE_ERROR'],
  linkChart: ['SVG_PARSE_ERROR'],
  getLinkedChart: ['PNG_ENCODE_ERROR', 'PDF_SAVE_ERROR'],
};

// A new operation may be in the contract before it is in the server.
const failures: Readonly<Partial<Record<string, { readonly failure: ErrorCode }>>> = operations;
const withoutDatabase = /^getMe|Viz|render|Chart$/;

/** The problems that an operation may have with this status, in addition to the contract's example, named by code. */
export function problemsOf(operation: string, status: string, example: ErrorCode): NamedProblem[] {
  const common: readonly ErrorCode[] = [
    ...(['VALIDATION_ERROR', 'Bad Request'] as const),
    ...(withoutDatabase.test(operation) ? [] : (['Database error', 'Query error'] as const)),
    failures[operation]?.failure ?? 'Server Error',
  ];
  const codes = [...common, ...(further[operation] ?? [])];
  return codes
    .filter((code) => code !== example && String(errorCodes[code][0]) === status)
    .map((code) => ({ name: code.toLowerCase().replaceAll(' ', '_'), value: problem(code) }));
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
