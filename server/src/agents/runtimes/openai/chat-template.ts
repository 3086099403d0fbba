import type { ModelMessage } from 'ai';
import type { ConversationMessage } from '../../sessions/conversation.ts';

/** The conversation with only one call in each message of the assistant. The result follows its call. */
export function oneCallEach(conversation: readonly ConversationMessage[]): ConversationMessage[] {
  const results = new Map(conversation.map((message) => [message.tool_call_id, message]));
  return conversation.flatMap((message) => {
    if (message.role === 'tool') return [];
    const { tool_calls: calls, provider_data: data } = message;
    if (calls === null) return [message];
    return calls.flatMap((call, i) => {
      const signatures = [data?.signatures[i] ?? null];
      const first = i === 0 ? { content: message.content, reasoning: data?.reasoning ?? null } : undefined;
      const single = {
        ...message,
        content: first?.content ?? '',
        tool_calls: [call],
        provider_data: data === null ? null : { reasoning: first?.reasoning ?? null, signatures },
      };
      const result = results.get(call.id);
      return result === undefined ? [single] : [single, result];
    });
  });
}

/** Moves the instructions to the beginning of the user's first message. */
export function withInstructions(messages: readonly ModelMessage[], instructions: string): ModelMessage[] {
  return messages.map((message, i) =>
    i === 0 && message.role === 'user' && typeof message.content === 'string'
      ? { ...message, content: `${instructions}\n\n${message.content}` }
      : message,
  );
}
