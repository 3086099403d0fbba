import { chartKindNames, type ChartKind } from '@worktable/charts/svg';

/** A task by its title, or the task in the context of the run. */
export type TaskReference = { readonly title: string } | 'this';

type Group = 'title' | 'priority' | 'due_date' | 'status' | 'assignee' | 'body' | 'type' | 'as' | 'by';

/** A command that the built-in runtime understands, with the groups of its pattern that matched. */
export interface Command extends Readonly<Partial<Record<Group, string>>> {
  readonly kind: keyof typeof phrases;
  readonly task?: TaskReference;
}

const reference = String.raw`(?:the )?(?:task )?(?:(?:titled|called|named) )?`;
const taskName = `${reference}(?<task>.+?)`;
// After the title there are only words, so the pattern looks for " as " after the last character that is not part of a
// word. A lazy title would try every " as " against the rest of the text, which takes quadratic time.
const taskBeforeWords = String.raw`${reference}(?<task>(?:.*[^\w ])?(?=[\w ]*$)[\w ]*?)`;

interface ChartLook {
  readonly type: ChartKind;
  readonly orientation?: 'horizontal';
  readonly donut?: true;
}

/** The words for charts, and what they set in a chart. */
export const charts = new Map<string, ChartLook>([
  ...chartKindNames.map((type) => [type, { type }] as const),
  ['horizontal bar', { type: 'bar', orientation: 'horizontal' }],
  ['donut', { type: 'pie', donut: true }],
  ['doughnut', { type: 'pie', donut: true }],
]);
const chartWords = [...charts.keys()].join('|');

/** The phrases, in the order in which a text is compared with them. */
export const phrases = {
  create: {
    example: 'create a task titled Buy milk',
    tools: ['create_task'],
    pattern: String.raw`(?:create|add|make) (?:an? )?(?:new )?task ?(?:titled|called|named|to|:)? ?(?<title>.+?)(?:,? (?:with )?priority (?<priority>\S+))?(?:,? due (?:on )?(?<due_date>\S+))?`,
  },
  chart: {
    example: 'chart my tasks by status',
    tools: ['list_tasks', 'render_chart'],
    pattern: String.raw`(?=.*\b(?:chart|draw|plot)\b)(?:make|draw|plot|chart|create|show)\b(?: me)?(?: an?| the)?(?: (?<type>${chartWords}))?(?: chart)?(?: of)?(?: (?:all|my|the))* tasks(?: by (?<by>status|priority|assignee|month))?(?: as an? (?<as>${chartWords})(?: chart)?)?`,
  },
  list: {
    example: 'list my tasks',
    tools: ['list_tasks'],
    // The status must not begin with an optional word, because the pattern would then backtrack into each of these
    // words.
    pattern: String.raw`(?:list|show)(?: me)?(?: (?:all|my|the))*(?: (?!(?:all|my|the) )(?<status>[\w ]+?))? tasks`,
  },
  comments: {
    example: 'show comments on Buy milk',
    tools: ['list_tasks', 'list_comments'],
    pattern: `(?:list|show)(?: me)?(?: the)? comments (?:on|of|for) ${taskName}`,
  },
  show: {
    example: 'show task Buy milk',
    tools: ['list_tasks', 'get_task'],
    pattern: `(?:show|get)(?: me)?(?: the)? task (?:(?:titled|called|named) )?(?<task>.+?)`,
  },
  comment: {
    example: 'comment on task Buy milk: two litres',
    tools: ['list_tasks', 'add_comment'],
    pattern: `(?:comment|(?:add|write) a comment) (?:on|to) ${taskName} ?(?::|saying|that says) ?(?<body>.+)`,
  },
  assign: {
    example: 'assign task Buy milk to bob',
    tools: ['list_tasks', 'assign_task'],
    pattern: `assign ${taskName} to (?<assignee>.+)`,
  },
  delete: {
    example: 'delete task Buy milk',
    tools: ['list_tasks', 'delete_task'],
    pattern: `(?:delete|remove) ${taskName}`,
  },
  change: {
    example: 'complete task Buy milk',
    tools: ['list_tasks', 'update_task'],
    pattern: String.raw`(?:mark|set|move) ${taskBeforeWords} (?:as|to) (?<status>[\w ]+)|(?:complete|finish|close) ${taskName}`,
  },
} as const satisfies Readonly<Record<string, Phrase>>;

interface Phrase {
  readonly example: string;
  /** The tools that the plan of the command calls. */
  readonly tools: readonly string[];
  /** A regular expression whose groups are the task and other parts of the command. */
  readonly pattern: string;
}

// The keys of the object are the kinds of commands.
const patterns = (Object.keys(phrases) as Command['kind'][]).map(
  (kind) => [kind, new RegExp(`^(?:${phrases[kind].pattern})$`, 'i')] as const,
);

/** The status that the words mean, or the words themselves if they mean no well-known status. */
function statusFrom(words: string): string {
  const status = words.trim().toLowerCase().replaceAll(' ', '_');
  return knownStatuses.get(status) ?? status;
}

// A map, because an object would also find inherited names such as "constructor".
const knownStatuses: ReadonlyMap<string, string> = new Map([
  ['complete', 'done'],
  ['completed', 'done'],
  ['finished', 'done'],
  ['to_do', 'todo'],
  ['canceled', 'cancelled'],
]);

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
  // Placeholders for quoted parts, so that nothing in them is parsed as a command.
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
    const { task, status, ...others } = groups;
    const matched = Object.entries(others).flatMap(([name, text]) =>
      text === undefined ? [] : [[name, restore(text)] as const],
    );
    return {
      ...{ kind, ...Object.fromEntries(matched) },
      ...(task !== undefined && { task: isThis.test(task) ? 'this' : { title: restore(task) } }),
      ...(status !== undefined && { status: statusFrom(restore(status)) }),
    };
  }
  return undefined;
}

const isThis = /^(?:this|it|this task|the task|task)$/i;
