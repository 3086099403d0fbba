import type { ModelConfig } from '../../../config/config.ts';
import { RequestFailed } from '../../../lib/fetch.ts';
import { RuntimeFailure, type Runtime, type StepRequest } from '../runtime.ts';
import { adaptedDialect, commonDialect, type Dialect } from './dialect.ts';
import { failureFrom, isRefusal, Malformed, statusOf } from './failures.ts';
import { fitContext } from './fit-context.ts';
import { requestStep, type Attempt } from './request-step.ts';

/** A runtime for servers with OpenAI's chat completions. Each step is one streamed request. */
export function openaiRuntime(config: ModelConfig): Runtime {
  // The dialect of the last step that the server has answered.
  let dialect = commonDialect;
  return {
    model: config.model,
    state: 'unknown',
    // After a failure, tries in order: a dialect that fits the error, the same request, single calls, the newer half of
    // the turns, only the last turn. Otherwise, one refused turn would make all later runs of its session fail.
    step: async (request) => {
      const tried = [dialect];
      let [turnsMax, isRepeated] = [Infinity, false];
      for (;;) {
        const current = tried.at(-1) ?? dialect;
        const conversation = fitContext(withoutOldThoughts(request, current), config.contextTokens, turnsMax);
        const attempt = { config, dialect: current, request, conversation };
        try {
          const step = await requestStep(attempt);
          // With fewer turns, the dialect may not be the cause of the success.
          if (turnsMax === Infinity) dialect = current;
          return step;
        } catch (error) {
          request.signal.throwIfAborted();
          const failure = failureFrom(error, config.apiKey);
          const status = statusOf(error);
          const isUnnamed = failure.code === 'runtime_error' && error !== failure;
          const named = adaptedDialect(error, tried);
          const isParallel = conversation.some(({ tool_calls: calls }) => (calls ?? []).length > 1);
          const mayBeParallel = isUnnamed && isRefusal(error) && isParallel && current.hasParallelCalls;
          const turns = new Set(conversation.map(({ run_id: id }) => id)).size;
          const isTooLarge = isUnnamed && request.wasBusy && status === 429;
          // The same request may succeed again: a server may fail by chance, or refuse a tool call of its own model (Groq).
          const mayRepeat =
            status === undefined || (isRefusal(error) && (mayBeParallel || turns > 1 || status === 400));
          if (named !== undefined) tried.push(named);
          else if (isUnnamed && mayRepeat && !isRepeated && !(error instanceof RequestFailed))
            isRepeated = true;
          else if (mayBeParallel) tried.push({ ...current, hasParallelCalls: false });
          else if ((isRefusal(error) || isTooLarge || error instanceof Malformed) && turns > 1)
            turnsMax = turnsMax === Infinity ? Math.floor(turns / 2) : 1;
          else throw isUnnamed ? describeRefusal(attempt, error, failure) : failure;
          request.onRestart();
        }
      }
    },
  };
}

const noTools = 'The model cannot call tools. Use an agent without skills, or another runtime.';

/** The failure of a refused request. Names what the error is about: an option, a tool, or tools in general. */
function describeRefusal(
  { request, conversation, dialect }: Attempt,
  error: unknown,
  failure: RuntimeFailure,
): RuntimeFailure {
  // OpenRouter answers 404 if no server of a model supports tools.
  if (!(error instanceof Error) || (!isRefusal(error) && statusOf(error) !== 404)) return failure;
  const names = (part: string): boolean => error.message.includes(part);
  const option = Object.keys(request.options).find((name) =>
    names(name === 'max_output_tokens' ? dialect.outputLimit : name),
  );
  if (option !== undefined) {
    const refused = `The model server refuses the option ${option} of the agent. Change it, or leave it out.`;
    return new RuntimeFailure(refused, 'invalid_option', failure.cause);
  }
  // A model that has called a tool supports tools.
  if (request.tools.length === 0 || conversation.at(-1)?.role !== 'user') return failure;
  // Choose the longest name, because it may begin with the name of another tool.
  const [tool] = request.tools
    .filter(({ name }) => names(name))
    .toSorted((one, other) => other.name.length - one.name.length);
  if (tool === undefined && !/\btools?\b|\bfunction calling\b/i.test(error.message)) return failure;
  const refused = `The model server refuses the tool ${tool?.name}. Leave out its skill, or use another runtime.`;
  return new RuntimeFailure(tool ? refused : noTools, 'tools_not_supported', failure.cause);
}

/** Removes thoughts and signatures from the earlier turns of the request, unless the server needs them. */
function withoutOldThoughts(request: StepRequest, { thoughts }: Dialect): StepRequest {
  if (thoughts === 'all') return request;
  const lastId = request.conversation.at(-1)?.run_id;
  const conversation = request.conversation.map((message) =>
    message.run_id === lastId ? message : { ...message, provider_data: null },
  );
  return { ...request, conversation };
}
