import type { ConversationMessage } from '../../sessions/conversation.ts';
import type { Runtime, Step, StepRequest } from '../runtime.ts';
import { commandsFrom, type Command } from './commands.ts';
import { planOf, toolsNeeded, type Plan, type ToolAnswer } from './plans.ts';

/**
 * A model that needs no network: it understands a few plain phrases, always the same way. Its plans are replayed from
 * the log, so it goes on after a crash like any other.
 */
export const builtin: Runtime = {
  model: null,
  step: (request) => {
    const step = nextStep(request);
    for (const piece of step.text.match(/\S+\s*/g) ?? []) request.onText(piece);
    return Promise.resolve(step);
  },
};

function nextStep({ conversation, context, tools }: StepRequest): Step {
  const turn = conversation.slice(conversation.findLastIndex(({ role }) => role === 'user'));
  const input = turn[0]?.content ?? '';
  const names = new Set(tools.map(({ name }) => name));
  const plan = planOfTurn(commandsFrom(input), { context, names });
  const state = replay(plan, turn.filter(({ role }) => role === 'tool').map(answerFrom));
  return state.done === true
    ? { text: state.value, calls: [], usage: null }
    : { text: '', calls: [state.value], usage: null };
}

/** Tells a plan what came of its calls so far, and so gets to where it goes on. */
function replay(plan: Plan, answers: readonly ToolAnswer[]): ReturnType<Plan['next']> {
  return answers.reduce((state, answer) => (state.done === true ? state : plan.next(answer)), plan.next());
}

interface Surroundings {
  readonly context: StepRequest['context'];
  readonly names: ReadonlySet<string>;
}

function* planOfTurn(commands: readonly (Command | undefined)[], { context, names }: Surroundings): Plan {
  const sentences: string[] = [];
  const notUnderstood = help(names);
  for (const command of commands) {
    if (command === undefined || !toolsNeeded[command.kind].every((name) => names.has(name))) {
      sentences.push(notUnderstood);
    } else {
      sentences.push(yield* planOf(command, context));
    }
  }
  return [...new Set(sentences)].join('\n') || notUnderstood;
}

/** What can be said to an agent that has these tools. */
function help(names: ReadonlySet<string>): string {
  const able = phrases.filter(([kind]) => toolsNeeded[kind].every((name) => names.has(name)));
  if (able.length === 0) {
    return 'I have no tools for that. Give the agent the skills "tasks" and "viz", or another runtime.';
  }
  return `I did not understand that. I can do: ${able.map(([, phrase]) => phrase).join('; ')}.`;
}

const phrases: readonly (readonly [Command['kind'], string])[] = [
  ['create', 'create a task titled Buy milk'],
  ['list', 'list my tasks'],
  ['show', 'show task Buy milk'],
  ['change', 'complete task Buy milk'],
  ['assign', 'assign task Buy milk to bob'],
  ['comment', 'comment on task Buy milk: two litres'],
  ['comments', 'show comments on Buy milk'],
  ['chart', 'chart my tasks by status'],
];

function answerFrom({ content, is_error }: ConversationMessage): ToolAnswer {
  return { content, isError: is_error };
}
