import { Gauge, type Registry } from 'prom-client';
import type { RunningAgents } from './agents/agents.ts';
import type { Database } from './db/database.ts';
import type { ByteBudget } from './http/byte-budget.ts';
import type { Slots } from './http/slots.ts';
import type { Unread } from './http/unread.ts';
import type { Painters } from './viz/painters.ts';

interface Gauged {
  readonly database: Pick<Database, 'poolUse'>;
  readonly painters: Painters;
  readonly agents: RunningAgents;
  readonly slots: Slots;
  readonly receiving: ByteBudget;
  readonly unread: Unread;
}

/** Adds the values that are read when the metrics are asked for, by name and meaning. */
export function registerGauges(
  registry: Registry,
  { database: { poolUse }, painters, agents, slots, receiving, unread }: Gauged,
): void {
  const gauges: Readonly<Record<string, readonly [help: string, read: () => number]>> = {
    http_requests_in_work: ['Requests that hold one of MAX_REQUESTS.', slots.taken],
    http_request_buffered_bytes: ['Memory of request bodies that are being received.', receiving.used],
    http_unread_bytes: ['Bytes of answers that clients have not read yet.', unread.bytes],
    chart_queue_length: ['Pictures that wait for a painter.', () => painters.waiting],
    chart_painters: ['Painter processes.', () => painters.pids.length],
    agent_runs_in_work: ['Runs that this process works on.', agents.working],
    agent_waiters: ['Requests that hold one of AGENT_MAX_WAITERS.', agents.waiting],
    ...(poolUse && {
      database_connections: ['Connections to the database.', () => poolUse().open],
      database_connections_idle: ['Connections to the database that are idle.', () => poolUse().idle],
      database_waiting_requests: ['Requests that wait for a connection.', () => poolUse().waiting],
    }),
  };
  for (const [name, [help, read]] of Object.entries(gauges)) {
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers: [registry],
      collect: () => {
        gauge.set(read());
      },
    });
  }
}
