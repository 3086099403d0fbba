import { withoutNote } from '../../runs/edited-arguments.ts';
import type { Runtime, Step, StepRequest } from '../runtime.ts';
import { commandsFrom, phrases } from './commands.ts';
import { planOf, type Plan } from './plans.ts';

/**
 * A runtime that understands a few plain phrases, without a network. It replays its plans from the log, so a run
 * continues after a crash as with other runtimes.
 */
export const builtin: Runtime = {
  model: null,
  state: 'ready',
  step: (request) => {
    const step = nextStep(request);
    for (const piece of step.text.match(/\S+\s*/g) ?? []) request.onText(piece);
    return Promise.resolve(step);
  },
};

function nextStep(request: StepRequest): Step {
  const { conversation } = request;
  const turn = conversation.slice(conversation.findLastIndex(({ role }) => role === 'user'));
  const plan = planTurn(turn[0]?.content ?? '', request);
  let state = plan.next();
  for (const { role, content, is_error: isError } of turn)
    if (role === 'tool' && state.done !== true) state = plan.next({ content: withoutNote(content), isError });
  const step = { reasoning: '', incompleteReason: null, usage: null };
  return state.done === true
    ? { ...step, text: state.value, calls: [] }
    : { ...step, text: '', calls: [state.value] };
}

function* planTurn(input: string, { context, tools }: StepRequest): Plan {
  const names = new Set(tools.map(({ name }) => name));
  const understood = Object.values(phrases).filter((phrase) => phrase.tools.every((name) => names.has(name)));
  const notUnderstood =
    understood.length === 0
      ? 'I have no tools for that. Give the agent the skills "tasks" and "viz", or another runtime.'
      : `I did not understand that. I can do: ${understood.map(({ example }) => example).join('; ')}.`;
  const sentences = new Set<string>();
  for (const command of commandsFrom(input)) {
    const isUnderstood = command !== undefined && understood.includes(phrases[command.kind]);
    sentences.add(isUnderstood ? yield* planOf(command, context) : notUnderstood);
  }
  return [...sentences].join('\n') || notUnderstood;
}
