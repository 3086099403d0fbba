import type { Agent, Message, Run, ToolCall } from '@worktable/sdk';
import { useEffect, useState } from 'react';
import { client } from './client.ts';
import { Entry } from './entry.tsx';

const sessionId = 'example';

/** A chat with an agent that asks before it creates a task. */
export function Chat() {
  const [messages, setMessages] = useState<Message[]>([]);
  const [run, setRun] = useState<Run>();
  const add = (message: Message) =>
    setMessages((all) => [...all.filter(({ id }) => id !== message.id), message]);

  const [isBegun, setBegun] = useState(false);

  useEffect(() => {
    const controller = new AbortController();
    const follow = async () => {
      for await (const { event, data } of client.sessions.follow(sessionId, { signal: controller.signal })) {
        if (event === 'message') add(data);
        // A queued run must not hide the run before it, which may wait for a decision.
        else setRun((shown) => (shown !== undefined && data.status === 'queued' ? shown : data));
      }
    };
    // The session does not exist before the first message.
    follow().catch(() => undefined);
    return () => controller.abort();
  }, [isBegun]);

  const send = async (input: string) => {
    const { id } = await findAgent();
    await client.agents.run(id, { input, context: { session_id: sessionId } }, { prefer: 'respond-async' });
    setBegun(true);
  };
  const calls = run?.required_action?.tool_calls ?? [];
  const decide = (approve: boolean) =>
    client.runs.approve(
      run!.id,
      calls.map(({ id }) => ({ tool_call_id: id, approve })),
    );

  return (
    <div className="chat">
      <ol>
        {messages.map((message) => (
          <ChatMessage key={message.id} {...message} />
        ))}
      </ol>
      {calls.length > 0 && (
        <p>
          May the agent do this? <code>{calls.map(textOf).join(', ')}</code>
          <button onClick={() => void decide(true)}>Approve</button>
          <button onClick={() => void decide(false)}>Reject</button>
        </p>
      )}
      <Entry
        label="Message"
        hint="Create a task titled …, or: chart my tasks by status"
        button="Send"
        onSend={(input) => void send(input)}
      >
        <output>{run?.status.replace('_', ' ')}</output>
      </Entry>
    </div>
  );
}

const textOf = (call: ToolCall) => `${call.name} ${JSON.stringify(call.arguments)}`;

/** What the user and the agent say, and the charts that tools draw, but no other results of tools. */
function ChatMessage({ role, content, attachments }: Message) {
  if ((role === 'tool' || content === '') && attachments === null) return null;
  return (
    <li data-role={role}>
      {role !== 'tool' && content}
      {attachments?.map(({ name, media_type, data_base64 }) => (
        <img key={name} alt={name} src={`data:${media_type};base64,${data_base64}`} />
      ))}
    </li>
  );
}

async function findAgent(): Promise<Agent> {
  for await (const agent of client.agents.list()) if (agent.name === 'Example') return agent;
  return client.agents.create({ name: 'Example', skills: ['tasks', 'viz'], approvals: ['create_task'] });
}
