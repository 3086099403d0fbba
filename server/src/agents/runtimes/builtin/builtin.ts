import type { ConversationMessage } from '../../sessions/conversation.ts';
import { withoutNote } from '../../runs/edited-arguments.ts';
import type { Runtime, Step, StepRequest } from '../runtime.ts';
import { commandsFrom, type Command } from './commands.ts';
import { planOf, type Plan, type ToolOutput } from './plans.ts';

/**
 * A runtime that understands a few plain phrases, without a network. It replays its plans from the log, so a run
 * continues after a crash as with other runtimes.
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
  const plan = planTurn(commandsFrom(input), { context, names });
  const state = replay(plan, turn.filter(({ role }) => role === 'tool').map(outputFrom));
  const step = { reasoning: '', incompleteReason: null, usage: null };
  return state.done === true
    ? { ...step, text: state.value, calls: [] }
    : { ...step, text: '', calls: [state.value] };
}

/** Resumes a plan by replaying the outputs of the calls that are already in the log. */
function replay(plan: Plan, outputs: readonly ToolOutput[]): ReturnType<Plan['next']> {
  return outputs.reduce((state, output) => (state.done === true ? state : plan.next(output)), plan.next());
}

interface TurnContext {
  readonly context: StepRequest['context'];
  readonly names: ReadonlySet<string>;
}

function* planTurn(commands: readonly (Command | undefined)[], { context, names }: TurnContext): Plan {
  const sentences: string[] = [];
  const notUnderstood = helpText(names);
  for (const command of commands) {
    if (command === undefined || !kinds[command.kind].tools.every((name) => names.has(name))) {
      sentences.push(notUnderstood);
    } else {
      sentences.push(yield* planOf(command, context));
    }
  }
  return [...new Set(sentences)].join('\n') || notUnderstood;
}

/** Lists the phrases that an agent with these tools understands. */
function helpText(names: ReadonlySet<string>): string {
  const understood = Object.values(kinds).filter(({ tools }) => tools.every((name) => names.has(name)));
  if (understood.length === 0) {
    return 'I have no tools for that. Give the agent the skills "tasks" and "viz", or another runtime.';
  }
  return `I did not understand that. I can do: ${understood.map(({ phrase }) => phrase).join('; ')}.`;
}

/** The kinds of commands, each with a phrase and the tools that it needs. */
const kinds: Record<Command['kind'], { readonly phrase: string; readonly tools: readonly string[] }> = {
  create: { phrase: 'create a task titled Buy milk', tools: ['create_task'] },
  list: { phrase: 'list my tasks', tools: ['list_tasks'] },
  show: { phrase: 'show task Buy milk', tools: ['list_tasks', 'get_task'] },
  change: { phrase: 'complete task Buy milk', tools: ['list_tasks', 'update_task'] },
  assign: { phrase: 'assign task Buy milk to bob', tools: ['list_tasks', 'assign_task'] },
  comment: { phrase: 'comment on task Buy milk: two litres', tools: ['list_tasks', 'add_comment'] },
  comments: { phrase: 'show comments on Buy milk', tools: ['list_tasks', 'list_comments'] },
  delete: { phrase: 'delete task Buy milk', tools: ['list_tasks', 'delete_task'] },
  chart: { phrase: 'chart my tasks by status', tools: ['list_tasks', 'render_chart'] },
};

function outputFrom({ content, is_error }: ConversationMessage): ToolOutput {
  return { content: withoutNote(content), isError: is_error };
}
