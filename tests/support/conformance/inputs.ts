import { createHmac, randomBytes } from 'node:crypto';
import { inputRequired, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

/** A question that the suite expects from a tool or prompt. */
type Question = Parameters<typeof inputRequired>[0]['inputRequests'];

function ask(key: string, message: string, field: string, type: 'string' | 'boolean'): Question {
  const requestedSchema = { type: 'object' as const, properties: { [field]: { type } }, required: [field] };
  return { [key]: { method: 'elicitation/create', params: { message, requestedSchema } } } as Question;
}

function sample(key: string, text: string): Question {
  const messages = [{ role: 'user', content: { type: 'text', text } }];
  return { [key]: { method: 'sampling/createMessage', params: { messages, maxTokens: 50 } } } as Question;
}

const roots = { client_roots: { method: 'roots/list', params: {} } } as Question;
const name = ask('user_name', 'What is your name?', 'name', 'string');

/** The questions of each tool, round by round. */
export const questions: Readonly<Record<string, readonly Question[]>> = {
  test_input_required_result_elicitation: [name],
  test_input_required_result_sampling: [sample('capital_question', 'What is the capital of France?')],
  test_input_required_result_list_roots: [roots],
  test_input_required_result_request_state: [ask('confirm', 'Please confirm', 'ok', 'boolean')],
  test_input_required_result_multiple_inputs: [
    { ...name, ...sample('greeting', 'Generate a greeting'), ...roots },
  ],
  test_input_required_result_multi_round: [
    ask('step1', 'Step 1: What is your name?', 'name', 'string'),
    ask('step2', 'Step 2: What is your favorite color?', 'color', 'string'),
  ],
  test_input_required_result_tampered_state: [ask('confirm', 'Please confirm', 'ok', 'boolean')],
  test_input_required_result_capabilities: [sample('greeting', 'Generate a greeting')],
  test_streaming_elicitation: [name],
};

export const promptQuestion = ask('user_context', 'What context should the prompt use?', 'context', 'string');

/** Asks the next unanswered question. Returns undefined if all are answered. */
export function nextQuestion(
  rounds: readonly Question[],
  answers: Readonly<Record<string, unknown>> | undefined,
  state: unknown,
): ReturnType<typeof inputRequired> | undefined {
  const round = state === undefined ? 0 : roundOf(state);
  const asked = rounds[round];
  if (asked === undefined) return undefined;
  const isAnswered = Object.keys(asked).every((key) => typeof answers?.[key] === 'object');
  const next = isAnswered ? rounds[round + 1] : asked;
  return (
    next && inputRequired({ inputRequests: next, requestState: stateOf(isAnswered ? round + 1 : round) })
  );
}

const secret = randomBytes(32);

function stateOf(round: number): string {
  return `${round}.${createHmac('sha256', secret).update(String(round)).digest('base64url')}`;
}

function roundOf(state: unknown): number {
  const round = Number(String(state).split('.')[0]);
  if (stateOf(round) === state) return round;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The requestState is not one of this server.');
}
