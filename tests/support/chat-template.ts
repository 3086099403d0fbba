import { errorResponse, type ModelRequest, type ModelResponse } from './model-server.ts';

/** Requests that a chat template refuses, and the response to them. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly isRefused: (request: ModelRequest) => boolean;
}

/** Gemma 3 at Google refuses system messages. */
export const noSystemRole: Refusal = {
  status: 400,
  message: 'Developer instruction is not enabled for models/gemma-3-27b-it',
  isRefused: ({ messages }) => messages.some(({ role }) => role === 'system'),
};

/** Llama 3 on llama.cpp refuses several calls in one message. */
export const oneCallAtOnce: Refusal = {
  status: 500,
  message: 'This model only supports single tool-calls at once!',
  isRefused: ({ messages }) => messages.some(({ tool_calls: calls = [] }) => calls.length > 1),
};

/** Answers like a server whose chat template refuses some requests. */
export function withTemplate({ status, message, isRefused }: Refusal, answer: ModelResponse): ModelResponse {
  const error = { message, type: 'template_error', code: status };
  const refuse = errorResponse(status, {}, { error });
  return (response, request) => {
    (isRefused(request) ? refuse : answer)(response, request);
  };
}
