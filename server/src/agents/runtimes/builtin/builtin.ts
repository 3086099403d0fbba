import type { Runtime, Step, StepRequest } from '../runtime.ts';
import { phrases, PlanFailed, type Parts, type Phrase, type Plan } from './phrases.ts';

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
  for (const message of turn) if (message.role === 'tool' && state.done !== true) state = plan.next(message);
  const written = state.done === true ? { text: state.value, calls: [] } : { text: '', calls: [state.value] };
  return { ...written, reasoning: '', incompleteReason: null, usage: null };
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
    const phrase = understood.find((each) => each === phrases[command?.kind ?? '']);
    const isUnderstood = command !== undefined && phrase !== undefined;
    sentences.add(isUnderstood ? yield* planOf(phrase, command, context) : notUnderstood);
  }
  return [...sentences].join('\n') || notUnderstood;
}

function* planOf({ plan }: Phrase, parts: Parts, context: StepRequest['context']): Plan {
  try {
    return yield* plan(parts, context);
  } catch (error) {
    if (error instanceof PlanFailed) return error.message;
    throw error;
  }
}

/** A command that the built-in runtime understands: the name of its phrase, and the parts that matched. */
type Command = Parts & { readonly kind: string };

const patterns = Object.entries(phrases).map(
  ([kind, { pattern }]) => [kind, new RegExp(`^(?:${pattern})$`, 'i')] as const,
);
const verbs =
  'create|add|make|list|show|complete|finish|mark|set|assign|comment|delete|remove|chart|draw|plot';
const separator = new RegExp(
  String.raw`[;\n]|,?[ ](?:and )?then[ ]|,?[ ]and[ ](?=(?:${verbs})\b)|[.!](?=[ ]|$)`,
  'i',
);
const partLengthMax = 1000;
// A quoted part contains no quotation mark of its own kind. Without this rule, every “ without a ” would scan to the
// end of the text.
const quotedPart = /"([^"]*)"|“([^“”]*)”/g;

/** The commands of a text, in order; undefined for each part that is not a command. */
export function commandsFrom(text: string): (Command | undefined)[] {
  // Placeholders replace quoted parts, so that nothing in a quoted part is parsed as a command.
  const quoted: string[] = [];
  const plain = text
    .replaceAll(/[\uE000\uE001]/g, '')
    .replaceAll(quotedPart, (_all, straight?: string, curly?: string) => {
      quoted.push(straight ?? curly ?? '');
      return `\uE000${quoted.length - 1}\uE001`;
    });
  const restore = (part: string): string =>
    part.trim().replaceAll(/\uE000(\d+)\uE001/g, (_all, index: string) => quoted[Number(index)] ?? '');
  return plain
    .split(separator)
    .map((part) => part.replaceAll(/\s+/g, ' ').trim())
    .filter((part) => part !== '')
    .map((part) => (part.length > partLengthMax ? undefined : commandFrom(part, restore)));
}

function commandFrom(part: string, restore: (part: string) => string): Command | undefined {
  const phrase = part.replace(/^(?:please|and|then),? /i, '').replace(/[.!?]$/, '');
  for (const [kind, pattern] of patterns) {
    const groups: Readonly<Record<string, string | undefined>> | undefined = pattern.exec(phrase)?.groups;
    if (groups === undefined) continue;
    const parts = Object.entries(groups).flatMap(([name, words]): [string, string][] => {
      if (words === undefined || (name === 'task' && isThis.test(words))) return [];
      return [[name, name === 'status' ? statusFrom(restore(words)) : restore(words)]];
    });
    return { kind, ...Object.fromEntries(parts) };
  }
  return undefined;
}

const isThis = /^(?:this|it|this task|the task|task)$/i;

/** The well-known status that the words mean, or else the words in lower case, joined by underscores. */
function statusFrom(words: string): string {
  const status = words.trim().toLowerCase().replaceAll(' ', '_');
  if (/^(?:completed?|finished)$/.test(status)) return 'done';
  return status.replace(/^to_do$/, 'todo').replace(/^canceled$/, 'cancelled');
}
