import { chartKindNames, type ChartKind } from '@worktable/charts/svg';

/** A task by its title, or the task in the context of the run. */
export type TaskReference = { readonly title: string } | 'this';

/** A command that the built-in runtime understands. */
export type Command =
  | { readonly kind: 'create'; readonly fields: Readonly<Record<string, string>> }
  | { readonly kind: 'list'; readonly status: string | undefined }
  | { readonly kind: 'show'; readonly task: TaskReference }
  | { readonly kind: 'change'; readonly task: TaskReference; readonly status: string }
  | { readonly kind: 'assign'; readonly task: TaskReference; readonly assignee: string }
  | { readonly kind: 'comment'; readonly task: TaskReference; readonly body: string }
  | { readonly kind: 'comments'; readonly task: TaskReference }
  | { readonly kind: 'delete'; readonly task: TaskReference }
  | ChartCommand;

export interface ChartCommand {
  readonly kind: 'chart';
  readonly by: 'status' | 'priority' | 'assignee_name' | 'month';
  readonly type: ChartKind;
  readonly orientation?: 'horizontal';
  readonly donut?: true;
}

interface Phrase {
  readonly example: string;
  /** The tools that the plan of the command calls. */
  readonly tools: readonly string[];
  readonly pattern: string;
  /** The command for the named groups of the pattern, which are empty if they did not match. */
  readonly command: (text: (name: string) => string, task: TaskReference) => Command;
}

const reference = String.raw`(?:the )?(?:task )?(?:(?:titled|called|named) )?`;
const taskName = `${reference}(?<task>.+?)`;
// After the title there are only words, so the pattern looks for " as " after the last character that is not part of a
// word. A lazy title would try every " as " against the rest of the text, which takes quadratic time.
const taskBeforeWords = String.raw`${reference}(?<task>(?:.*[^\w ])?(?=[\w ]*$)[\w ]*?)`;

type ChartLook = Pick<ChartCommand, 'type' | 'orientation' | 'donut'>;

/** The words for charts, and what they set in a chart. */
const charts = new Map<string, ChartLook>([
  ...chartKindNames.map((type) => [type, { type }] as const),
  ['horizontal bar', { type: 'bar', orientation: 'horizontal' }],
  ['donut', { type: 'pie', donut: true }],
  ['doughnut', { type: 'pie', donut: true }],
]);
const chartWords = [...charts.keys()].join('|');

/** The phrases, in the order in which a text is compared with them. */
export const phrases: Readonly<Record<Command['kind'], Phrase>> = {
  create: {
    example: 'create a task titled Buy milk',
    tools: ['create_task'],
    pattern: String.raw`(?:create|add|make) (?:an? )?(?:new )?task ?(?:titled|called|named|to|:)? ?(?<title>.+?)(?:,? (?:with )?priority (?<priority>\S+))?(?:,? due (?:on )?(?<due>\S+))?`,
    command: (text) => ({
      kind: 'create',
      fields: {
        title: text('title'),
        ...(text('priority') !== '' && { priority: text('priority') }),
        ...(text('due') !== '' && { due_date: text('due') }),
      },
    }),
  },
  chart: {
    example: 'chart my tasks by status',
    tools: ['list_tasks', 'render_chart'],
    pattern: String.raw`(?=.*\b(?:chart|draw|plot)\b)(?:make|draw|plot|chart|create|show)\b(?: me)?(?: an?| the)?(?: (?<type>${chartWords}))?(?: chart)?(?: of)?(?: (?:all|my|the))* tasks(?: by (?<by>status|priority|assignee|month))?(?: as an? (?<as>${chartWords})(?: chart)?)?`,
    command: (text) => ({
      kind: 'chart',
      by: chartKey(text('by')),
      ...(charts.get((text('as') || text('type')).toLowerCase()) ?? { type: 'bar' }),
    }),
  },
  list: {
    example: 'list my tasks',
    tools: ['list_tasks'],
    // The status must not begin with an optional word, because the pattern would then backtrack into each of these
    // words.
    pattern: String.raw`(?:list|show)(?: me)?(?: (?:all|my|the))*(?: (?!(?:all|my|the) )(?<status>[\w ]+?))? tasks`,
    command: (text) => ({
      kind: 'list',
      status: text('status') === '' ? undefined : statusFrom(text('status')),
    }),
  },
  comments: {
    example: 'show comments on Buy milk',
    tools: ['list_tasks', 'list_comments'],
    pattern: `(?:list|show)(?: me)?(?: the)? comments (?:on|of|for) ${taskName}`,
    command: (_text, task) => ({ kind: 'comments', task }),
  },
  show: {
    example: 'show task Buy milk',
    tools: ['list_tasks', 'get_task'],
    pattern: `(?:show|get)(?: me)?(?: the)? task (?:(?:titled|called|named) )?(?<task>.+?)`,
    command: (_text, task) => ({ kind: 'show', task }),
  },
  comment: {
    example: 'comment on task Buy milk: two litres',
    tools: ['list_tasks', 'add_comment'],
    pattern: `(?:comment|(?:add|write) a comment) (?:on|to) ${taskName} ?(?::|saying|that says) ?(?<body>.+)`,
    command: (text, task) => ({ kind: 'comment', task, body: text('body') }),
  },
  assign: {
    example: 'assign task Buy milk to bob',
    tools: ['list_tasks', 'assign_task'],
    pattern: `assign ${taskName} to (?<assignee>.+)`,
    command: (text, task) => ({ kind: 'assign', task, assignee: text('assignee') }),
  },
  delete: {
    example: 'delete task Buy milk',
    tools: ['list_tasks', 'delete_task'],
    pattern: `(?:delete|remove) ${taskName}`,
    command: (_text, task) => ({ kind: 'delete', task }),
  },
  change: {
    example: 'complete task Buy milk',
    tools: ['list_tasks', 'update_task'],
    pattern: String.raw`(?:mark|set|move) ${taskBeforeWords} (?:as|to) (?<status>[\w ]+)|(?:complete|finish|close) ${taskName}`,
    command: (text, task) => ({ kind: 'change', task, status: statusFrom(text('status') || 'done') }),
  },
};

const patterns = Object.values(phrases).map(
  ({ pattern, command }) => [new RegExp(`^(?:${pattern})$`, 'i'), command] as const,
);

function chartKey(word: string): ChartCommand['by'] {
  const key = word.toLowerCase();
  if (key === 'assignee') return 'assignee_name';
  return key === 'priority' || key === 'month' ? key : 'status';
}

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
  for (const [pattern, command] of patterns) {
    const groups = pattern.exec(phrase)?.groups;
    if (groups === undefined) continue;
    const written = groups['task'] ?? '';
    const isThis = /^(?:this|it|this task|the task|task)$/i.test(written);
    return command((name) => restore(groups[name] ?? ''), isThis ? 'this' : { title: restore(written) });
  }
  return undefined;
}
