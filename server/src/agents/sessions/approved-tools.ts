import { sql } from 'kysely';
import { isRow, type RowKey } from '../../db/row-key.ts';
import type { Db, ToolIdentities } from '../../db/tables.ts';
import { validationError } from '../../errors.ts';

/** The tools that the user has approved for the rest of a session. */
export async function findApprovedTools(db: Db, key: RowKey): Promise<ToolIdentities> {
  const session = await db
    .selectFrom('sessions')
    .select('approved_tools')
    .where(isRow(key))
    .executeTakeFirst();
  return session?.approved_tools ?? {};
}

/** Approves tools for the rest of a session. */
export async function approveTools(transaction: Db, key: RowKey, tools: ToolIdentities): Promise<void> {
  await sql`
    update sessions set approved_tools = approved_tools || ${JSON.stringify(tools)}::jsonb
    where ${isRow(key)}`.execute(transaction);
}

/** Revokes the approvals of all tools except the named ones. Throws if a named tool is not approved. */
export async function keepApprovedTools(
  transaction: Db,
  key: RowKey,
  names: readonly string[],
): Promise<void> {
  const session = await transaction
    .selectFrom('sessions')
    .select('approved_tools')
    .where(isRow(key))
    .forUpdate()
    .executeTakeFirst();
  if (session === undefined) return;
  const approved = new Map(Object.entries(session.approved_tools));
  const errors = names.flatMap((name, i) =>
    approved.has(name) ? [] : [{ pointer: `/approved_tools/${i}`, code: 'not_found', detail } as const],
  );
  if (errors.length > 0) throw validationError(errors);
  const remaining = Object.fromEntries([...approved].filter(([name]) => names.includes(name)));
  await transaction
    .updateTable('sessions')
    .set({ approved_tools: JSON.stringify(remaining) })
    .where(isRow(key))
    .execute();
}

const detail =
  'must be a tool that is approved in this session; a decision with the scope session approves one';
