import type { Client as McpClient } from '@modelcontextprotocol/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { createAgent, finishedSession, runAgent } from '../../support/agents.ts';
import type { Client } from '../../support/client.ts';
import { callTool, connectMcp, revisions } from '../../support/mcp.ts';
import { sharedServer } from '../../support/server.ts';
import { newTask, pairs, requestOf, type Subject } from './mcp-pairs.ts';

const server = sharedServer();

describe.each(revisions)('the tools, in the revision %s', (revision) => {
  let alice: Client;
  let subject: Subject;
  const connect = async (): Promise<McpClient> => connectMcp(server, await server.token('alice'), revision);

  beforeAll(async () => {
    alice = await server.as('alice');
    subject = await createSubject(alice);
  });

  it('are one for each row of mcp-pairs.ts, with a title and every hint', async () => {
    const { tools } = await (await connect()).listTools();

    expect(tools.map(({ name }) => name)).toEqual(pairs.map(({ tool }) => tool));
    for (const { title, annotations } of tools) {
      expect(title).toMatch(/^[A-Z]/);
      expect(annotations).toEqual({
        title,
        readOnlyHint: expect.any(Boolean),
        destructiveHint: expect.any(Boolean),
        idempotentHint: expect.any(Boolean),
        openWorldHint: expect.any(Boolean),
      });
    }
  });

  it.each(pairs)('$tool has the result of $operation', async (pair) => {
    const client = await connect();

    const byTool = await callTool(client, pair.tool, pair.values(subject));
    const byHttp = await alice.ok(pair.operation, requestOf(pair, subject));

    expect(byTool.isError, byTool.text).toBe(false);
    const hidden = [...(pair.creates === true ? ofOneCall : []), ...(pair.omits ?? [])];
    expect(comparable(fieldsOrImage(byTool), hidden)).toEqual(
      comparable(expectedFields(byHttp.body, byHttp.headers), hidden),
    );
  });
});

async function createSubject(alice: Client): Promise<Subject> {
  const { body: created } = await alice.ok('createTask', { body: { ...newTask, due_date: '2026-12-01' } });
  for (const each of ['one', 'two']) {
    await alice.ok('createTask', { body: { title: each, tags: 'food' } });
    await alice.ok('createComment', { id: created.task.id, body: { body: each } });
  }
  const agent = await createAgent(alice);
  const { body: run } = await runAgent(alice, agent, 'chart my tasks by status');
  await finishedSession(alice, run.session_id);
  return { taskId: created.task.id, agentId: agent.id, runId: run.id, sessionId: run.session_id };
}

function fieldsOrImage({ fields, images }: Awaited<ReturnType<typeof callTool>>): unknown {
  const [image] = images;
  return image === undefined ? fields : { png_base64: image.data };
}

/** The body of a response as a tool returns it: without null and base64, with the cursor of the next page. */
function expectedFields(body: unknown, headers: Headers): unknown {
  const next = /<([^>]*)>; rel="next"/.exec(headers.get('Link') ?? '')?.[1];
  const cursor = next && new URL(next, 'http://localhost').searchParams.get('cursor');
  return {
    ...(Array.isArray(body) ? { [nameOfEntries(body)]: body } : Object(body)),
    ...(cursor ? { next_cursor: cursor } : {}),
  };
}

function nameOfEntries(entries: readonly object[]): string {
  return entries.some((entry) => 'action' in entry) ? 'entries' : 'comments';
}

/** Fields that differ between two calls, because each call creates a resource. */
const ofOneCall = [
  ...['id', 'session_id', 'created_at', 'updated_at', 'completed_at', 'status', 'output', 'etag'],
  ...['url', 'expires_at'],
];

/** A value without null, base64 and the fields in `hidden`. */
function comparable(value: unknown, hidden: readonly string[]): unknown {
  const json = JSON.stringify(value, (name, each: unknown) =>
    each === null || name === 'data_base64' || hidden.includes(name) ? undefined : each,
  );
  return JSON.parse(json);
}
