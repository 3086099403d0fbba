import { hash } from 'node:crypto';
import type { Db } from '../../db/tables.ts';
import { limitRun } from '../../event-size.ts';
import type { Schemas } from '../../operation.ts';
import type { StoredAgent } from '../agent.ts';
import { warningsOf } from '../agent-warnings.ts';
import { findAgentOfRun } from '../agent-store.ts';
import { findRunAhead } from '../runs/find-runs.ts';
import type { AgentServices } from '../services.ts';
import type { Waiting } from './run-event-bus.ts';

type RunEvent = Schemas['RunEvent'];

/** The position of a stream of a run, and the states that it has sent: the last one for each event name. */
export interface StateStream {
  readonly run: Schemas['Run'];
  readonly userId: string;
  readonly sent: Map<RunEvent['event'], unknown>;
  /** The agent of the run, after the first read. */
  agent: StoredAgent | undefined;
}

/** Yields the run that a queued run waits for. */
export async function* queuedEvents(db: Db, stream: StateStream): AsyncGenerator<RunEvent, void> {
  const { run, userId } = stream;
  const ahead = await findRunAhead(db, { id: run.id, userId }, run.session_id);
  if (ahead !== undefined) yield* onChange(stream, { event: 'run.queued', data: { run, waits_for: ahead } });
}

/** A stream that ends when the run requires action does not send this event. */
export function requiredActionEvents(stream: StateStream): Iterable<RunEvent> {
  return onChange(stream, { event: 'run.requires_action', data: limitRun(stream.run) }, stream.run);
}

/** Yields the reasons why the run may fail or lack tools, as far as this process knows them. */
export async function* warningEvents(
  { db, ...services }: Pick<AgentServices, 'db' | 'runtimes' | 'skills'>,
  stream: StateStream,
): AsyncGenerator<RunEvent, void> {
  const { run, userId } = stream;
  stream.agent ??= await findAgentOfRun(db, { id: run.agent_id, userId });
  const warnings = warningsOf(stream.agent, services);
  if (warnings.length > 0)
    yield* onChange(stream, { event: 'run.warning', data: { run_id: run.id, warnings } });
}

/** Yields one event for each pause in which the run waits for its model server. */
export function* waitingEvents(
  { run, sent }: StateStream,
  { attempt, ...waiting }: Waiting,
): Generator<RunEvent, void> {
  if (sent.get('run.waiting') === attempt) return;
  sent.set('run.waiting', attempt);
  yield { event: 'run.waiting', data: { run_id: run.id, ...waiting } };
}

function* onChange(
  { sent }: StateStream,
  event: RunEvent,
  state: object = event.data,
): Generator<RunEvent, void> {
  const digest = hash('sha256', JSON.stringify(state));
  if (sent.get(event.event) === digest) return;
  sent.set(event.event, digest);
  yield event;
}
