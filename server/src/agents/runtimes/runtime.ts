import type { Schemas } from '../../operation.ts';
import type { ConversationMessage } from '../sessions/conversation.ts';

/** A model behind the loop: given a conversation, it says what comes next. */
export interface Runtime {
  /** The model's name, where there is one to tell. */
  readonly model: string | null;
  /** Takes one step. Rejects with a RuntimeFailure when the model cannot be had. */
  step(request: StepRequest): Promise<Step>;
}

export interface StepRequest {
  readonly instructions: string | null;
  /** Data that came with the run. */
  readonly context: Readonly<Record<string, unknown>>;
  readonly conversation: readonly ConversationMessage[];
  readonly tools: readonly ToolDescription[];
  /** Hears the answer's text as it is written. */
  readonly onText: (text: string) => void;
  readonly signal: AbortSignal;
}

export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: object;
}

/** An answer: text, tools to call, or both. Without tools to call, the turn is over. */
export interface Step {
  readonly text: string;
  readonly calls: readonly RequestedCall[];
  readonly usage: Schemas['Usage'] | null;
}

export interface RequestedCall {
  readonly name: string;
  /** Undefined where the model wrote something that is no JSON object. */
  readonly arguments: Readonly<Record<string, unknown>> | undefined;
}

/** A runtime could not do its step; the message is a sentence for the caller. */
export class RuntimeFailure extends Error {
  override name = 'RuntimeFailure';
}
