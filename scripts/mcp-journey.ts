/**
 * `TOKEN=… npm run --silent mcp:journey -- [URL]` uses a running server through MCP as an assistant does, with the
 * official client, and prints each step. URL is the address of the server; the default is http://127.0.0.1:3000.
 */
import { writeFile } from 'node:fs/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const url = new URL('/mcp', process.argv[2] ?? 'http://127.0.0.1:3000');
const token = process.env['TOKEN'];
if (token === undefined) fail('Set TOKEN to a token, such as $(npm run --silent token -- --user alice).');
await fetch(url, { method: 'HEAD' }).catch(() =>
  fail(`No server answers at ${url.origin}. Start it with "npm start", or pass its address.`),
);

const client = new Client({ name: 'journey', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
const headers = { Authorization: `Bearer ${token}` };
await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));

const { tools } = await client.listTools();
console.log(`${tools.length} tools: ${tools.map(({ name }) => name).join(', ')}`);

const { task } = await call<{ task: { id: string; title: string } }>('create_task', {
  title: 'Buy milk',
  tags: 'food,home',
  idempotency_key: `journey-${Date.now()}`,
});
console.log(`created: ${task.title}`);
const begun = await call<{ task: { etag: string } }>('update_task', { id: task.id, status: 'in_progress' });
await call('update_task', { id: task.id, status: 'done', if_match: begun.task.etag });
await call('add_comment', { id: task.id, body: 'Oat milk.' });
const { entries } = await call<{ entries: { action: string }[] }>('list_audit_log', { id: task.id });
console.log(`audit log: ${entries.map(({ action }) => action).join(', ')}`);

const chart = { title: 'Tasks', data: [{ label: 'done', value: 1 }] };
const { content } = await client.callTool({ name: 'render_chart', arguments: chart });
for (const block of content) {
  if (block.type !== 'image') continue;
  await writeFile('chart.png', Buffer.from(block.data, 'base64'));
  console.log('chart: chart.png');
}

const { agents } = await call<{ agents: { id: string; name: string }[] }>('list_agents', {});
for (const { id, name } of agents.slice(0, 1)) {
  let run = await call<{ id: string; status: string; output?: string }>('run_agent', {
    id,
    input: 'list my tasks',
  });
  while (run.status === 'queued' || run.status === 'running') {
    await new Promise((resolve) => setTimeout(resolve, 200));
    run = await call('get_run', { id: run.id });
  }
  console.log(`${name}: ${run.status}`);
}
await client.close();

/** Calls a tool and returns its structured content. Throws the message of a failed call. */
async function call<Fields>(name: string, values: Record<string, unknown>): Promise<Fields> {
  const result = await client.callTool({ name, arguments: values });
  const [block] = result.content;
  if (result.isError === true) throw new Error(block?.type === 'text' ? block.text : `${name} failed.`);
  // The cast holds because the client has validated the content against the tool's output schema.
  return result.structuredContent as Fields;
}

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}
