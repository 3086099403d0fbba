import { createClient, type Message, type ToolCall } from '@worktable/sdk';

const client = createClient({ baseUrl: 'http://127.0.0.1:3000', token: 'the token that the server printed' });
const sessionId = 'chat';
const {
  items: [latest],
} = await client.runs.list({ session_id: sessionId, limit: 1 }).page();
const planner = { name: 'Planner', skills: ['tasks', 'viz'], approvals: ['*'] };
const agentId = latest?.agent_id ?? (await client.agents.create(planner, { idempotencyKey: 'my chat' })).id;
const tabs = new BroadcastChannel(sessionId);

const messages = document.body.appendChild(document.createElement('ol'));
const approvals = document.body.appendChild(document.createElement('p'));
const input = document.body.appendChild(document.createElement('input'));
const state = document.body.appendChild(document.createElement('output'));
const cancel = button('Cancel', document.body);

/** Shows a message, or what is known of it, in the place that it has by its id. */
function show(id: string, text: string) {
  const item =
    document.getElementById(id) ?? messages.appendChild(Object.assign(document.createElement('li'), { id }));
  item.textContent = text;
  return item;
}

/** Shows what the user and the agent say, and the charts that tools drew, but no other results of tools. */
function showMessage({ id, role, content, attachments }: Message) {
  const text = role === 'tool' ? '' : content;
  if (text === '' && attachments === null) return;
  const item = show(id, text);
  for (const { name, media_type: type, data_base64: data } of attachments ?? [])
    item.append(Object.assign(new Image(), { alt: name, src: `data:${type};base64,${data}` }));
}

function button(text: string, parent: HTMLElement) {
  return parent.appendChild(Object.assign(document.createElement('button'), { textContent: text }));
}

function ask(runId: string, { id, name, arguments: values }: ToolCall) {
  const question = approvals.appendChild(document.createElement('span'));
  question.textContent = `${name} ${JSON.stringify(values)}`;
  for (const approve of [true, false])
    button(approve ? 'Approve' : 'Reject', question).onclick = () =>
      client.runs.approve(runId, [{ tool_call_id: id, approve }]);
}

/** Shows a run from its start to its end, wherever it was started. */
async function follow(runId: string) {
  cancel.onclick = () => client.runs.cancel(runId);
  let preview = { id: '', text: '' };
  for await (const { event, data } of client.runs.stream(runId, { until: 'finished' })) {
    approvals.replaceChildren();
    if (event === 'message.delta') {
      if (preview.id !== data.message_id) document.getElementById(preview.id)?.remove();
      const before = preview.id === data.message_id ? preview.text.slice(0, data.offset) : '';
      preview = { id: data.message_id, text: before + data.text };
      show(preview.id, preview.text);
    } else if (event === 'message') {
      if (preview.id === data.id) preview = { id: '', text: '' };
      showMessage(data);
    } else if (event === 'run.requires_action') {
      for (const call of data.required_action?.tool_calls ?? []) ask(runId, call);
    } else if ('status' in data) state.textContent = data.status;
  }
}

input.onchange = async () => {
  const request = { input: input.value, context: { session_id: sessionId } };
  input.value = '';
  const run = await client.agents.run(agentId, request, { prefer: 'respond-async' });
  tabs.postMessage(run.id);
  await follow(run.id);
};
tabs.onmessage = ({ data: runId }) => follow(String(runId));

if (latest !== undefined) {
  for await (const message of client.sessions.listMessages(sessionId)) showMessage(message);
  await follow(latest.id);
}
