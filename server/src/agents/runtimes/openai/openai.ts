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
    // After a failure, repeats the request, then tries another dialect, the newer half of the turns, and only the last.
    // Otherwise, a turn that the server refuses would make every later run of its session fail.
    step: async (request) => {
      const tried = [dialect];
      let [turnsMax, isRepeated] = [Infinity, false];
      for (;;) {
        const current = tried.at(-1) ?? dialect;
        const conversation = fitContext(withoutOldThoughts(request, current), config.contextTokens, turnsMax);
        const attempt = { config, dialect: current, request, conversation };
        try {
          const step = await requestStep(attempt);
          // With fewer turns, the dialect may not be what has helped.
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
          const suspects = isUnnamed ? suspectsOf(attempt, error) : [];
          const turns = new Set(conversation.map(({ run_id: id }) => id)).size;
          const isTooLarge = isUnnamed && request.wasBusy && status === 429;
          // A server may fail by chance, or refuse a call that its model has written (Groq).
          const mayRepeat =
            status === undefined ||
            suspects.length > 0 ||
            (isRefusal(error) && (mayBeParallel || turns > 1 || status === 400));
          if (named !== undefined) tried.push(named);
          else if (isUnnamed && mayRepeat && !isRepeated && !(error instanceof RequestFailed))
            isRepeated = true;
          else if (mayBeParallel) tried.push({ ...current, hasParallelCalls: false });
          else if ((isRefusal(error) || isTooLarge || error instanceof Malformed) && turns > 1)
            turnsMax = turnsMax === Infinity ? Math.floor(turns / 2) : 1;
          else {
            for (const [changes, sentence, code] of suspects)
              if (await isAnswered(attempt, changes)) throw new RuntimeFailure(sentence, code, failure.cause);
            throw failure;
          }
          request.onRestart();
        }
      }
    },
  };
}

const noTools = 'The model cannot call tools. Use an agent without skills, or another runtime.';

/** A part of a request that the server may refuse: what to leave out, and how to name the part. */
type Suspect = readonly [Partial<StepRequest>, sentence: string, code: RuntimeFailure['code']];

function suspectsOf({ request, conversation }: Attempt, error: unknown): Suspect[] {
  // Older versions of llama.cpp refuse tools with 500.
  const namesTools = isRefusal(error) && /\btools\b/.test(error.message);
  if (!namesTools && ![400, 404, 422].includes(statusOf(error) ?? 0)) return [];
  const suspects = Object.keys(request.options).map((name): Suspect => {
    const sentence = `The model server refuses the option ${name} of the agent. Change it, or leave it out.`;
    return [{ options: { ...request.options, [name]: undefined } }, sentence, 'invalid_option'];
  });
  // A model that has called a tool supports tools.
  if (request.tools.length === 0 || conversation.at(-1)?.role !== 'user') return suspects;
  // The longest name, because it may begin with another tool's.
  const [tool] = request.tools
    .filter(({ name }) => error instanceof Error && error.message.includes(name))
    .toSorted((a, b) => b.name.length - a.name.length);
  const refused = `The model server refuses the tool ${tool?.name}. Leave out its skill, or use another runtime.`;
  const others = request.tools.filter((each) => each !== tool);
  if (tool !== undefined) suspects.push([{ tools: others }, refused, 'tools_not_supported']);
  return [...suspects, [{ tools: [] }, noTools, 'tools_not_supported']];
}

/** Resolves to true if the server answers the request with these changes. Nobody reads the answer. */
function isAnswered(attempt: Attempt, changes: Partial<StepRequest>): Promise<boolean> {
  const request = { ...attempt.request, ...changes, onText: () => undefined };
  return requestStep({ ...attempt, request }).then(Boolean, () => false);
}

/** The request, whose earlier turns lose thoughts and signatures unless the server needs them. */
function withoutOldThoughts(request: StepRequest, { thoughts }: Dialect): StepRequest {
  if (thoughts === 'all') return request;
  const lastId = request.conversation.at(-1)?.run_id;
  const conversation = request.conversation.map((message) =>
    message.run_id === lastId ? message : { ...message, provider_data: null },
  );
  return { ...request, conversation };
}
