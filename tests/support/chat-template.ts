import type { ModelRequest, ModelResponse } from './model-server.ts';

/** What a chat template refuses. */
export interface Refusal {
  readonly message: string;
  readonly isRefused: (request: ModelRequest) => boolean;
}

/** Gemma 2. */
export const noSystemRole: Refusal = {
  message: 'System role not supported',
  isRefused: ({ messages }) => messages.some(({ role }) => role === 'system'),
};

/** Llama 3. */
export const oneCallAtOnce: Refusal = {
  message: 'This model only supports single tool-calls at once!',
  isRefused: ({ messages }) => messages.some(({ tool_calls: calls = [] }) => calls.length > 1),
};

/** Answers as a server does that reports the errors of its chat template, such as vLLM. */
export function withTemplate({ message, isRefused }: Refusal, answer: ModelResponse): ModelResponse {
  return (response, request) => {
    if (!isRefused(request)) {
      answer(response, request);
      return;
    }
    response.writeHead(400, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ error: { message, type: 'BadRequestError', code: 400 } }));
  };
}
