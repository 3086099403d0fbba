import type { ProviderData } from '../../db/tables.ts';
import { isVisible, toStorable, toStorableJson } from '../../lib/text.ts';
import {
  ModelUnavailable,
  RuntimeFailure,
  type RequestedCall,
  type Step,
  type StepRequest,
} from '../runtimes/runtime.ts';
import { truncateText } from '../../tools/result-size.ts';
import type { Execution } from '../services.ts';
import type { ConversationMessage } from '../sessions/conversation.ts';
import { appendMessage, failedCall } from '../sessions/message-store.ts';
import type { Tool } from '../skills/tool.ts';
import { addUsage, withLease } from './lease.ts';
import { endPreview, newPreview, type Preview } from './preview.ts';
import { countTokens } from './start-run.ts';

/**
 * Requests one step of the model and appends it to the log. With `isLast`, the model has no tools and must answer,
 * because the run has reached the limit of its steps.
 */
export async function runModelStep(
  execution: Execution,
  conversation: readonly ConversationMessage[],
  tools: readonly Tool[],
  isLast: boolean,
): Promise<void> {
  const { run, active, services } = execution;
  const { db, config, runEvents } = services;
  let preview = newPreview();
  const step = await requestStep(execution, {
    instructions: run.agent.instructions,
    context: run.context,
    conversation,
    tools: (isLast ? [] : tools).map(({ name, description, parameters }) => ({
      name,
      description,
      parameters,
    })),
    wasBusy: run.waiting?.reason === 'model_busy',
    options: run.agent.model_options,
    onText: (text) => {
      preview.text += toStorable(text);
      active.preview = preview;
      runEvents.publish(run.id, 'text');
    },
    onRestart: () => {
      preview = newPreview();
    },
  });
  if (isLast && !isVisible(step.text)) {
    const sentence = `The run did not finish within ${config.stepsMax} steps of its model.`;
    throw new RuntimeFailure(sentence, 'max_steps');
  }
  const { text, calls, usage } = step;
  const incompleteReason = isLast ? 'max_steps' : step.incompleteReason;
  const { messageId } = preview;
  const steps = conversation.filter(({ run_id: id, role }) => id === run.id && role === 'assistant');
  // Model servers may repeat ids. Ids made from the run and the step are unique, and the same after a crash.
  const idOf = (index: number): string => `call_${run.id.slice(-12)}_${steps.length + 1}_${index + 1}`;
  const response = {
    id: messageId,
    role: 'assistant',
    content: toStorable(text),
    tool_calls: calls.length === 0 ? null : calls.map((call, i) => ({ id: idOf(i), ...storedCall(call) })),
    provider_data: providerDataOf(step),
    partial: incompleteReason !== null,
    incomplete_reason: incompleteReason,
  } as const;
  await withLease(db, run, async (transaction) => {
    if (usage !== null) await addUsage(transaction, run, usage);
    // End the preview before the message is visible. Otherwise a cancellation would append the text again. If a text
    // broke off and the repeated response has no text, `active.preview` still has the text that broke off.
    await endPreview(transaction, run, active.preview?.messageId ?? messageId);
    active.preview = undefined;
    await appendMessage(transaction, run, response);
    for (const [i, call] of calls.entries()) {
      const refusal = refusalOf(call, incompleteReason !== null);
      if (refusal !== undefined) await appendMessage(transaction, run, failedCall(idOf(i), refusal));
    }
  });
}

// After this time without any part of a response, the worker's place is lent to another run.
const silentMs = 10_000;
// Errors with which a working model server refuses a request.
const refusals: readonly string[] = ['context_length_exceeded', 'tools_not_supported', 'invalid_option'];
const tooSlow = 'The model did not respond within the time limit of a step.';

/**
 * Requests a step from the runtime of a run, within the time limit of a step. Counts its tokens and its outcome, and
 * records whether the runtime works. Other runs may use the place of this run if the response is slow to begin.
 */
async function requestStep(
  { services, active, run, signal: stopped }: Execution,
  request: Omit<StepRequest, 'onPart' | 'signal'>,
): Promise<Step> {
  const { db, config, runtimes, workers, metrics, shutdownSignal } = services;
  const runtime = runtimes.get(run.runtime);
  if (runtime === undefined)
    throw new RuntimeFailure(`The runtime "${run.runtime}" is no longer configured on this server.`);
  const { tokensPerUserMax: max, stepMs } = config;
  if (runtime.model !== null && (await countTokens(db, run.userId, max)) > 0) {
    const sentence = `The user has used the ${max} tokens of models that this server allows in a day.`;
    throw new RuntimeFailure(sentence, 'token_limit');
  }
  const timeout = AbortSignal.timeout(stepMs);
  const signal = AbortSignal.any([stopped, timeout]);
  let step: Step | undefined;
  const silence = setTimeout(() => {
    active.isLent = true;
    workers.wake();
  }, silentMs);
  const onPart = (): void => {
    clearTimeout(silence);
    active.isLent = false;
  };
  try {
    step = await runtime.step({ ...request, onPart, signal });
    metrics.modelCalls.inc({ runtime: run.runtime, outcome: 'answered' });
    metrics.modelTokens.inc({ runtime: run.runtime, direction: 'input' }, step.usage?.input_tokens ?? 0);
    metrics.modelTokens.inc({ runtime: run.runtime, direction: 'output' }, step.usage?.output_tokens ?? 0);
    runtime.state = 'ready';
    run.waiting = null;
    return step;
  } catch (cause) {
    // A stopped request does not show whether the runtime works.
    if (stopped.aborted) throw cause;
    const failure = timeout.aborted ? new RuntimeFailure(tooSlow, undefined, cause) : cause;
    const outcome = failure instanceof ModelUnavailable ? 'unavailable' : 'failed';
    metrics.modelCalls.inc({ runtime: run.runtime, outcome });
    if (failure instanceof RuntimeFailure && !refusals.includes(failure.code)) runtime.state = 'failing';
    throw failure;
  } finally {
    onPart();
    // A server uses no tokens for a request that it refuses. If the shutdown interrupts a request, another process repeats
    // it and counts its tokens.
    const isStopped = (signal.aborted || active.preview !== undefined) && !shutdownSignal.aborted;
    if (max !== undefined && runtime.model !== null && (step !== undefined || isStopped))
      await countTokens(db, run.userId, max, tokensOf(request, active.preview, step?.usage));
  }
}

/** The tokens that the server has reported, or an estimate: a token has about three bytes. */
function tokensOf(
  { conversation, tools }: Pick<StepRequest, 'conversation' | 'tools'>,
  preview: Preview | undefined,
  usage: Step['usage'] = null,
): number {
  if (usage !== null) return usage.input_tokens + usage.output_tokens;
  return Math.ceil(Buffer.byteLength(JSON.stringify([conversation, tools, preview?.text])) / 3);
}

/** The sentence that tells the model why a call is not executed; undefined if the call is executed. */
function refusalOf({ arguments: values }: RequestedCall, isCutOff: boolean): string | undefined {
  if (isCutOff) return 'This call was not executed, because the answer was cut off.';
  if (values === undefined)
    return 'The arguments of this call are not a JSON object of at most 256 KiB, 64 levels and 50,000 values.';
  return undefined;
}

/** The data that the provider requires back with the calls. A step without calls ends the run and needs none. */
function providerDataOf({ reasoning, calls }: Step): ProviderData | null {
  const signatures = calls.map(({ signature }) => signature || null);
  return calls.length === 0 ? null : toStorableJson({ reasoning: reasoning || null, signatures });
}

const writtenLengthMax = 1024;

/** The call as it is stored. Unreadable arguments stay visible, because the model and the user should see the mistake. */
function storedCall({
  name,
  written = '',
  arguments: values = { arguments: truncateText(written, writtenLengthMax) },
}: RequestedCall): { readonly name: string; readonly arguments: Record<string, unknown> } {
  return { name: toStorable(name), arguments: toStorableJson(values) };
}
