import { tooManyArguments, tooManyValues } from './protocol-errors.ts';

const argumentsMax = 100;
const valuesMax = 500;

/**
 * Refuses a message that is too large for the MCP package. The package creates an error for each wrong entry of an
 * array, and copies objects key by key: a body of 1 MiB can cause 150 MB of errors. Values inside the arguments do not
 * count here, because the contract limits them.
 */
export function assertMessageSize(message: unknown): void {
  const { params } = Object(message) as { readonly params?: unknown };
  const { arguments: toolArguments } = Object(params) as { readonly arguments?: unknown };
  if (childrenOf(toolArguments).length > argumentsMax) throw tooManyArguments;
  if (hasTooManyValues(message, toolArguments)) throw tooManyValues;
}

/** Counts the values of a message, without the tool's arguments. Stops at the limit. */
function hasTooManyValues(message: unknown, toolArguments: unknown): boolean {
  const values = [message];
  // The loop also visits the values that it appends.
  for (const value of values) {
    const children = value === toolArguments ? [] : childrenOf(value);
    if (values.length + children.length > valuesMax) return true;
    values.push(...children);
  }
  return false;
}

function childrenOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
}
