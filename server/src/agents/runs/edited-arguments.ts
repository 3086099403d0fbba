import { isDeepStrictEqual } from 'node:util';
import type { StoredDecision } from '../../db/tables.ts';
import type { Schemas } from '../../contract/operation.ts';
import { truncateText } from '../../tools/result-size.ts';

type Arguments = Schemas['ToolCall']['arguments'];

/** The arguments in the user's decision; undefined if the call keeps the model's arguments. */
export function editedArguments(
  decision: Pick<StoredDecision, 'arguments'> | undefined,
  call: Pick<Schemas['ToolCall'], 'arguments'> | undefined,
): Arguments | undefined {
  const decided = decision?.arguments;
  return decided === undefined || isDeepStrictEqual(decided, call?.arguments) ? undefined : decided;
}

const beginning = 'The user changed the arguments of this call to ';
const noteLengthMax = 4_096;

/** A line before a call's result. It tells the model that the user has edited the arguments. */
export function editNote(values: Arguments): string {
  return `${beginning}${truncateText(JSON.stringify(values), noteLengthMax)}\n`;
}

/** The result without the line of `editNote`. */
export function withoutNote(content: string): string {
  return content.startsWith(beginning) ? content.slice(content.indexOf('\n') + 1) : content;
}
