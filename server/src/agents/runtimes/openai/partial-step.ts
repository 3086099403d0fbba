import type { FinishReason, TextStreamPart, ToolSet } from 'ai';
import type { RequestedCall, Step, StepRequest } from '../runtime.ts';
import { asObject } from './json.ts';

/** The part of a step that the model has written so far. */
export interface PartialStep {
  text: string;
  reasoning: string;
  calls: RequestedCall[];
  incompleteReason: Step['incompleteReason'];
  usage: Step['usage'];
  /** The bytes of text, thoughts and arguments so far. */
  receivedBytes: number;
}

export function emptyStep(): PartialStep {
  return { text: '', reasoning: '', calls: [], incompleteReason: null, usage: null, receivedBytes: 0 };
}

export function applyPart(
  step: PartialStep,
  part: TextStreamPart<ToolSet>,
  { onText, signal }: StepRequest,
): void {
  switch (part.type) {
    case 'text-delta':
      step.receivedBytes += Buffer.byteLength(part.text);
      step.text += part.text;
      onText(part.text);
      return;
    case 'reasoning-delta':
      step.receivedBytes += Buffer.byteLength(part.text);
      step.reasoning += part.text;
      return;
    case 'tool-input-delta':
      step.receivedBytes += Buffer.byteLength(part.delta);
      return;
    case 'tool-call':
      step.calls.push({
        name: part.toolName,
        arguments: asObject(part.input),
        signature: signatureOf(part.providerMetadata),
      });
      return;
    case 'finish-step': {
      step.incompleteReason = incompleteReasons[part.finishReason];
      const { inputTokens, outputTokens } = part.usage;
      if (inputTokens === undefined || outputTokens === undefined) return;
      step.usage = { input_tokens: inputTokens, output_tokens: outputTokens };
      return;
    }
    case 'error':
      throw part.error;
    case 'abort':
      signal.throwIfAborted();
      return;
    default:
      return;
  }
}

/** The SDK's finish reasons for a response that was cut off. */
const incompleteReasons: Readonly<Record<FinishReason, Step['incompleteReason']>> = {
  length: 'max_output_tokens',
  'content-filter': 'content_filter',
  stop: null,
  'tool-calls': null,
  error: null,
  interrupted: null,
  other: null,
};

/** The SDK stores a signature under the name of the runtime. */
function signatureOf(
  metadata: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {},
): string | undefined {
  const signature = Object.values(metadata).map(({ thoughtSignature }) => thoughtSignature)[0];
  return typeof signature === 'string' ? signature : undefined;
}
