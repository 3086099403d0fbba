import type { AuditDetails, AuditLogEntry } from './resources.ts';

/**
 * Parses the payload of an audit entry or a change: what was changed, and for whom.
 *
 * @example
 * import { payloadOf } from '@worktable/sdk';
 *
 * for await (const change of client.tasks.changes({ after: 'now' })) {
 *   console.log(payloadOf(change).changes?.['status']?.to);
 * }
 */
export function payloadOf({ payload }: Pick<AuditLogEntry, 'payload'>): AuditDetails {
  // The contract describes this JSON.
  return JSON.parse(payload) as AuditDetails;
}
