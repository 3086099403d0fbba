import type { Schemas } from '../../server/src/contract/operation.ts';
import { runAgent } from './agents.ts';
import type { Client } from './client.ts';

/** Runs an agent with the built-in runtime until it waits for the approval of a task. */
export async function waitingRun(
  client: Client,
  agent: { readonly id: string },
  title: string,
  sessionId: string = title.replaceAll(' ', '-'),
): Promise<Schemas['Run']> {
  const context = { session_id: sessionId };
  return (await runAgent(client, agent, `create a task titled ${title}`, { context })).body;
}

/** The calls of a run that wait for a decision. */
export function callsOf({ required_action: action }: Schemas['Run']): Schemas['ToolCall'][] {
  return action?.tool_calls ?? [];
}

type Decision = Omit<Partial<Schemas['ToolCallDecision']>, 'tool_call_id'> & { readonly approve: boolean };

/** A request with the same decision about every call that waits in a run. */
export function decisionsAbout(
  run: Schemas['Run'],
  decision: Decision,
): { id: string; body: { decisions: readonly object[] } } {
  const decisions = callsOf(run).map(({ id }) => ({ tool_call_id: id, ...decision }));
  return { id: run.id, body: { decisions } };
}

/** Sends the same decision about every call that waits in a run. */
export async function decide(
  client: Client,
  run: Schemas['Run'],
  decision: Decision,
): Promise<Schemas['Run']> {
  return (await client.ok('decideToolCalls', decisionsAbout(run, decision))).body;
}

/** Sends decisions that must be refused. Resolves to the pointers of the errors. */
export async function refusedAt(
  client: Client,
  { id }: { readonly id: string },
  ...decisions: readonly object[]
): Promise<string[] | undefined> {
  const { body } = await client.fails('decideToolCalls', 400, { id, body: { decisions } });
  return body.errors?.map(({ pointer }) => pointer);
}

/** The tasks whose title contains a text. */
export async function tasksTitled(client: Client, title: string): Promise<Schemas['Task'][]> {
  return (await client.ok('listTasks', { query: { q: title } })).body.tasks;
}
