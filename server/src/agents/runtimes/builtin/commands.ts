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
  readonly by: ChartKey;
  readonly type: ChartKind;
  readonly orientation?: 'horizontal';
  readonly donut?: true;
}

type ChartKey = 'status' | 'priority' | 'assignee_name' | 'month';

const partLengthMax = 1000;

/** The commands of a text, in order; undefined for each part that is not a command. */
export function commandsFrom(text: string): (Command | undefined)[] {
  const { plain, restore } = extractQuotes(text);
  return plain
    .split(separator)
    .map((part) => part.replaceAll(/\s+/g, ' ').trim())
    .filter((part) => part !== '')
    .map((part) => (part.length > partLengthMax ? undefined : commandFrom(part, restore)));
}

const verbs =
  'create|add|make|list|show|complete|finish|mark|set|assign|comment|delete|remove|chart|draw|plot';
const separator = new RegExp(
  String.raw`[;\n]|,?[ ](?:and )?then[ ]|,?[ ]and[ ](?=(?:${verbs})\b)|[.!](?=[ ]|$)`,
  'i',
);

// A quoted part contains no quotation mark of its own kind. Without this rule, every “ without a ” would scan to the
// end of the text.
const quotedPart = /"([^"]*)"|“([^“”]*)”/g;

/** Replaces quoted parts by placeholders, so that nothing in them is parsed as a command. */
function extractQuotes(text: string): { plain: string; restore: (part: string) => string } {
  const quoted: string[] = [];
  const plain = text
    .replaceAll(/[\uE000\uE001]/g, '')
    .replaceAll(quotedPart, (_all, straight?: string, curly?: string) => {
      quoted.push(straight ?? curly ?? '');
      return `\uE000${quoted.length - 1}\uE001`;
    });
  return {
    plain,
    restore: (part) =>
      part.trim().replaceAll(/\uE000(\d+)\uE001/g, (_all, index: string) => quoted[Number(index)] ?? ''),
  };
}

/** The parts of a text that a pattern has matched. */
interface Match {
  /** A named group of the pattern; empty if it did not match. */
  readonly text: (name: string) => string;
  /** The task that the text is about. */
  readonly task: TaskReference;
}

const reference = String.raw`(?:the )?(?:task )?(?:(?:titled|called|named) )?`;
const taskName = `${reference}(?<task>.+?)`;
// After the title there are only words, so the pattern looks for " as " after the last character that is not part of a
// word. A lazy title would try every " as " against the rest of the text, which takes quadratic time.
const taskBeforeWords = String.raw`${reference}(?<task>(?:.*[^\w ])?(?=[\w ]*$)[\w ]*?)`;
type ChartLook = Pick<ChartCommand, 'type' | 'orientation' | 'donut'>;

/** The words for charts, and what they set in a chart. */
const charts: ReadonlyMap<string, ChartLook> = new Map<string, ChartLook>([
  ...chartKindNames.map((type) => [type, { type }] as const),
  ['horizontal bar', { type: 'bar', orientation: 'horizontal' }],
  ['donut', { type: 'pie', donut: true }],
  ['doughnut', { type: 'pie', donut: true }],
]);
const chartWords = [...charts.keys()].join('|');
const patterns: readonly (readonly [RegExp, (match: Match) => Command])[] = [
  [
    /^(?:create|add|make) (?:an? )?(?:new )?task ?(?:titled|called|named|to|:)? ?(?<title>.+?)(?:,? (?:with )?priority (?<priority>\S+))?(?:,? due (?:on )?(?<due>\S+))?$/i,
    ({ text }) => ({
      kind: 'create',
      fields: {
        title: text('title'),
        ...(text('priority') !== '' && { priority: text('priority') }),
        ...(text('due') !== '' && { due_date: text('due') }),
      },
    }),
  ],
  [
    new RegExp(
      String.raw`^(?=.*\b(?:chart|draw|plot)\b)(?:make|draw|plot|chart|create|show)\b(?: me)?(?: an?| the)?(?: (?<type>${chartWords}))?(?: chart)?(?: of)?(?: (?:all|my|the))* tasks(?: by (?<by>status|priority|assignee|month))?(?: as an? (?<as>${chartWords})(?: chart)?)?$`,
      'i',
    ),
    ({ text }) => ({
      kind: 'chart',
      by: chartKey(text('by')),
      ...(charts.get((text('as') || text('type')).toLowerCase()) ?? { type: 'bar' }),
    }),
  ],
  [
    // The status must not begin with an optional word, because the pattern would then backtrack into each of these
    // words.
    /^(?:list|show)(?: me)?(?: (?:all|my|the))*(?: (?!(?:all|my|the) )(?<status>[\w ]+?))? tasks$/i,
    ({ text }) => ({ kind: 'list', status: text('status') === '' ? undefined : statusFrom(text('status')) }),
  ],
  [
    new RegExp(`^(?:list|show)(?: me)?(?: the)? comments (?:on|of|for) ${taskName}$`, 'i'),
    ({ task }) => ({ kind: 'comments', task }),
  ],
  [
    new RegExp(`^(?:show|get)(?: me)?(?: the)? task (?:(?:titled|called|named) )?(?<task>.+?)$`, 'i'),
    ({ task }) => ({ kind: 'show', task }),
  ],
  [
    new RegExp(
      `^(?:comment|(?:add|write) a comment) (?:on|to) ${taskName} ?(?::|saying|that says) ?(?<body>.+)$`,
      'i',
    ),
    ({ task, text }) => ({ kind: 'comment', task, body: text('body') }),
  ],
  [
    new RegExp(`^assign ${taskName} to (?<assignee>.+)$`, 'i'),
    ({ task, text }) => ({ kind: 'assign', task, assignee: text('assignee') }),
  ],
  [new RegExp(`^(?:delete|remove) ${taskName}$`, 'i'), ({ task }) => ({ kind: 'delete', task })],
  [
    new RegExp(`^(?:mark|set|move) ${taskBeforeWords} (?:as|to) (?<status>[\\w ]+)$`, 'i'),
    ({ task, text }) => ({ kind: 'change', task, status: statusFrom(text('status')) }),
  ],
  [
    new RegExp(`^(?:complete|finish|close) ${taskName}$`, 'i'),
    ({ task }) => ({ kind: 'change', task, status: 'done' }),
  ],
];

function commandFrom(part: string, restore: (part: string) => string): Command | undefined {
  const phrase = part.replace(/^(?:please|and|then),? /i, '').replace(/[.!?]$/, '');
  for (const [pattern, build] of patterns) {
    const match = pattern.exec(phrase);
    if (match === null) continue;
    const written = match.groups?.['task'] ?? '';
    const isThis = /^(?:this|it|this task|the task|task)$/i.test(written);
    const text = (name: string): string => restore(match.groups?.[name] ?? '');
    return build({ text, task: isThis ? 'this' : { title: restore(written) } });
  }
  return undefined;
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

function chartKey(word: string): ChartKey {
  const key = word.toLowerCase();
  if (key === 'assignee') return 'assignee_name';
  return key === 'priority' || key === 'month' ? key : 'status';
}
