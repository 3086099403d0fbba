import type { Schemas } from '../../contract/operation.ts';
import type { ConversationMessage } from '../sessions/conversation.ts';

/** A model. Given a conversation, it computes the next step of the run. */
export interface Runtime {
  readonly model: string | null;
  /** The state after the last step. */
  state: Schemas['RuntimeState'];
  /** Rejects with `ModelUnavailable` if a later request may succeed, and with another RuntimeFailure if not. */
  readonly step: (request: StepRequest) => Promise<Step>;
}

export interface StepRequest {
  readonly instructions: string | null;
  /** Data that the caller sent with the run. */
  readonly context: Readonly<Record<string, unknown>>;
  readonly conversation: readonly ConversationMessage[];
  readonly tools: readonly ToolDescription[];
  /** True if the run has waited because the server was busy. */
  readonly wasBusy: boolean;
  readonly options: Schemas['ModelOptions'];
  /** Called with each piece of text as the model writes it. */
  readonly onText: (text: string) => void;
  /** Called with each part of a response, such as a piece of text, thoughts or a call. */
  readonly onPart: () => void;
  /** Called before the model writes its response again. The text so far is then void. */
  readonly onRestart: () => void;
  readonly signal: AbortSignal;
}

export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments, in the form that model servers accept. */
  readonly parameters: object;
}

/**
 * A response of the model: text, tool calls, or both. The run ends if there are no tool calls or the response was cut
 * off.
 */
export interface Step {
  readonly text: string;
  /** The thoughts of the model before its answer, if the server sends them. */
  readonly reasoning: string;
  readonly calls: readonly RequestedCall[];
  /** Why the response was cut off; null if it was not. */
  readonly incompleteReason: Schemas['IncompleteDetails']['reason'] | null;
  readonly usage: Schemas['Usage'] | null;
}

export interface RequestedCall {
  readonly name: string;
  /** Undefined if the model wrote something other than a JSON object. */
  readonly arguments: Readonly<Record<string, unknown>> | undefined;
  /** The text of the arguments, if the model wrote one. */
  readonly written?: string;
  /** The server's signature of the call, if the server requires it in the next request. */
  readonly signature?: string | undefined;
}

/** A failure of a runtime. The message is a sentence for the caller; the cause is for the log. */
export class RuntimeFailure extends Error {
  override name = 'RuntimeFailure';
  readonly code: Schemas['RunError']['code'];

  constructor(message: string, code: RuntimeFailure['code'] = 'runtime_error', cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** The model server cannot answer at the moment. A later request may succeed. */
export class ModelUnavailable extends RuntimeFailure {
  override name = 'ModelUnavailable';
  readonly reason: Schemas['RunWaiting']['reason'];
  /** How long the server asks to wait, if it says so. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, reason: ModelUnavailable['reason'], cause: unknown, retryAfterMs?: number) {
    super(message, 'runtime_error', cause);
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}
