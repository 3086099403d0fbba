import { integerMax } from '../../../db/tables.ts';
import { bodyLimits, findExcess } from '../../../lib/json-limits.ts';
import { RuntimeFailure, type Step, type StepRequest } from '../runtime.ts';
import { Malformed } from './failures.ts';
import { asObject, objectsIn, type Json } from '../../../lib/json.ts';
import { isVisible } from '../../../lib/text.ts';
import { separateThoughts, separateUnopened, type Parts } from './thoughts.ts';

/** The limit for the text, thoughts and arguments of a step. */
export const stepBytesMax = 4 * 2 ** 20;

const argumentsBytesMax = 256 * 1024;
const callsMax = 100;

interface PartialCall {
  readonly id: unknown;
  name: string;
  /** The arguments, parsed once at the end, because parsing them after each piece takes quadratic time. */
  text: string;
  /** The last character of the arguments. To read it from `text` after each piece would take quadratic time. */
  last: string;
  signature: string | undefined;
}

/** The part of a step that the model has written so far. Reads chunks or a single response, in any server's form. */
export class PartialStep {
  usage: Step['usage'] = null;
  /** True after data outside the protocol. The data may be an error, so only a finish reason completes the step. */
  isDoubtful = false;
  /** The finish reason, in the words of the server. */
  ending: string | undefined;
  readonly #listeners: Pick<StepRequest, 'onText' | 'onPart'>;
  readonly #separate = separateThoughts();
  readonly #calls: PartialCall[] = [];
  readonly #callsById = new Map<unknown, PartialCall>();
  readonly #callsByIndex = new Map<unknown, PartialCall>();
  #text = '';
  #reasoning = '';
  /** The bytes of text, thoughts and arguments so far. */
  #receivedBytes = 0;

  constructor(listeners: Pick<StepRequest, 'onText' | 'onPart'>) {
    this.#listeners = listeners;
  }

  /** Adds a chunk. A chunk without a choice, such as a ping, adds at most its token counts. */
  add({ choices, usage, type }: Json): void {
    this.isDoubtful ||= choices === undefined && usage === undefined && type !== 'ping';
    this.usage = usageOf(usage, this.usage);
    if (choices != null && !Array.isArray(choices)) throw new Malformed();
    // The request asks for one choice.
    const [choice] = objectsIn(choices);
    if (choice === undefined) return;
    const delta = asObject(choice['delta']) ?? asObject(choice['message']) ?? {};
    const { text, thoughts } = partsOf([delta['content'], delta['refusal']]);
    const own = partsOf(delta['reasoning_content'] ?? delta['reasoning']);
    this.#append(this.#separate(text));
    this.#append({ text: '', thoughts: own.text + own.thoughts + thoughts });
    for (const call of objectsIn(delta['tool_calls'])) this.#addCall(call);
    const { finish_reason: ending } = choice;
    if (typeof ending === 'string' && ending !== '') this.ending = ending;
  }

  /** The step. Throws if the model ended without text or calls, or was interrupted before it wrote text. */
  complete(): Step {
    this.#append(this.#separate('', true));
    const written = { text: this.#text, thoughts: this.#reasoning };
    const { text, thoughts: reasoning } = written.thoughts === '' ? separateUnopened(this.#text) : written;
    const incompleteReason = incompleteReasonOf(this.ending ?? 'stop', this.#calls.length > 0);
    const isEmpty = !isVisible(text);
    // Throw only if the server failed, because asking again helps only then. A limit would be reached again.
    const isNameless = this.#calls.some(({ name }) => name === '');
    if (isNameless || (isEmpty && incompleteReason === 'interrupted')) throw new Malformed();
    if (isEmpty && this.#calls.length === 0 && incompleteReason === null) throw new Malformed(unanswered);
    const calls = this.#calls.map(({ name, text: written, signature }) => ({
      ...{ name, signature, written, arguments: parseArguments(written) },
    }));
    return { text, reasoning, calls, incompleteReason, usage: this.usage };
  }

  #append({ text: written, thoughts }: Parts): void {
    // Models often write empty lines before an answer, and spaces after their thoughts.
    const before = this.#reasoning === '' ? /^\s*\n/ : /^\s+/;
    const text = this.#text === '' ? written.replace(before, '') : written;
    if (text === '' && thoughts === '') return;
    this.#listeners.onPart();
    this.#count(Buffer.byteLength(text) + Buffer.byteLength(thoughts));
    this.#reasoning += thoughts;
    this.#text += text;
    if (text !== '') this.#listeners.onText(text);
  }

  #addCall({ index = null, id, extra_content: extra, ...delta }: Json): void {
    this.#listeners.onPart();
    const called = asObject(delta['function']) ?? {};
    const name = typeof called['name'] === 'string' ? called['name'] : '';
    const values = called['arguments'] ?? '';
    const piece = typeof values === 'string' ? values : JSON.stringify(values);
    // A known id decides, because an index may be missing, wrong, or the same for all calls. A piece with neither name
    // nor id continues a call. A piece with a name begins a call if its id is new, if its index is new and it repeats or
    // continues no other call, or if there are no ids and its arguments begin another object.
    const last = name === '' && !id ? this.#calls.at(-1) : undefined;
    let call = this.#callsById.get(id) ?? this.#callsByIndex.get(index) ?? last;
    const isWhole = !id && !call?.id && call?.last === '}' && piece.startsWith('{');
    const isOther = isWhole || (!!id && !!call?.id && id !== call.id);
    const isRepeated = piece !== '' && piece === call?.text && name === call.name;
    const isNewIndex =
      index !== null && !this.#callsByIndex.has(index) && /^(?:\{|$)/.test(piece) && !isRepeated;
    if (call === undefined || (name !== '' && (isOther || isNewIndex))) {
      if (this.#calls.length === callsMax)
        throw new RuntimeFailure(`The model has written more than ${callsMax} calls in one step.`);
      call = { id, name: '', text: '', last: '', signature: undefined };
      this.#calls.push(call);
    }
    if (id) this.#callsById.set(id, call);
    if (index !== null) this.#callsByIndex.set(index, call);
    // Some servers begin with an empty object, and some repeat the arguments as a whole.
    const isAgain = piece.startsWith('{') && ['{}', piece].includes(call.text);
    if (isAgain && call.text.trimEnd().endsWith('}')) call.text = '';
    // Some servers repeat the name, and some send it after the id, or in pieces.
    const added = name === call.name ? '' : name;
    call.name += added;
    const signature = asObject(asObject(extra)?.['google'])?.['thought_signature'];
    if (typeof signature === 'string') call.signature = signature;
    this.#count(Buffer.byteLength(added + piece));
    call.text += piece;
    call.last = piece.at(-1) ?? call.last;
  }

  #count(bytes: number): void {
    this.#receivedBytes += bytes;
    if (this.#receivedBytes > stepBytesMax) throw tooLarge();
  }
}

const unanswered =
  'The model answered neither with a text nor with a call of a tool. Send the message again, or use another model.';

export function tooLarge(): RuntimeFailure {
  return new RuntimeFailure('The response of the model server was larger than 4 MiB.');
}

/** The text and the thoughts in content, which is a text, an object, or a list of either. A refusal counts as text. */
function partsOf(content: unknown): Parts {
  if (typeof content === 'string') return { text: content, thoughts: '' };
  if (Array.isArray(content)) {
    const parts = content.map(partsOf);
    const join = (name: keyof Parts): string => parts.map((part) => part[name]).join('');
    return { text: join('text'), thoughts: join('thoughts') };
  }
  const { type, thinking, reasoning, text, content: inner, refusal } = asObject(content) ?? {};
  const thoughts = thinking ?? reasoning;
  const parts = partsOf(thoughts ?? text ?? inner ?? refusal ?? '');
  const isThought = thoughts !== undefined || /thinking|reasoning/.test(String(type));
  return isThought ? { text: '', thoughts: parts.text } : parts;
}

/** The arguments, which may be encoded twice; undefined if they are not a JSON object, or too large to be parsed. */
function parseArguments(text: string): Json | undefined {
  if (['', 'null', '[]'].includes(text.trim())) return {};
  const bytes = Buffer.from(text);
  if (bytes.length > argumentsBytesMax || findExcess(bytes, bodyLimits) !== undefined) return undefined;
  try {
    const values: unknown = JSON.parse(text);
    return typeof values === 'string' ? parseArguments(values) : asObject(values);
  } catch {
    return undefined;
  }
}

/** Finish reasons of a complete answer, or of complete calls, in all protocols. All others mean that it was cut off. */
const completeEndings = /^(?:stop|eos.*|end_turn|stop_sequence)$/i;
const callEndings = /^(?:tool_calls|tool_use|function_call)$/i;
const lengthEndings = /length|max|context/i;
const filterEndings = /filter|safety|sensitive|refusal|recitation|block|prohibited|guardrail/i;

function incompleteReasonOf(ending: string, hasCalls: boolean): Step['incompleteReason'] {
  if (completeEndings.test(ending) || (hasCalls && callEndings.test(ending))) return null;
  if (lengthEndings.test(ending)) return 'max_output_tokens';
  return filterEndings.test(ending) ? 'content_filter' : 'interrupted';
}

/** The token counts, if the server sends any. Some servers send each count in a chunk of its own, or end with zeros. */
function usageOf(usage: unknown, known: Step['usage']): Step['usage'] {
  const { prompt_tokens: input, completion_tokens: output } = asObject(usage) ?? {};
  const input_tokens = countOf(input, known?.input_tokens);
  const output_tokens = countOf(output, known?.output_tokens);
  if (input_tokens === undefined && output_tokens === undefined) return null;
  return { input_tokens: input_tokens ?? 0, output_tokens: output_tokens ?? 0 };
}

/** The larger count, capped to fit into an integer column. Servers also send decimals, text and other values. */
function countOf(value: unknown, known: number | undefined): number | undefined {
  const count = Math.ceil(Number.parseFloat(String(value)));
  return Number.isNaN(count) ? known : Math.min(Math.max(known ?? 0, count), integerMax);
}
