interface Issue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

// Invalid params (JSON-RPC 2.0, section 5.1).
const invalidParams = -32602;

/** Replaces the list of issues in an error message of the MCP package by a sentence. */
export function withReadableError(text: string): string {
  if (!text.includes('"error"')) return text;
  const message = JSON.parse(text) as {
    readonly error?: { readonly code: number; readonly message: string };
  };
  const issues = issuesOf(message.error?.message ?? '');
  if (issues === undefined) return text;
  const sentences = issues.map(({ path, message: problem }) => `${path.join('.')}: ${problem}.`);
  return JSON.stringify({ ...message, error: { code: invalidParams, message: sentences.join(' ') } });
}

/** The issues at the end of a message from the package; undefined if there are none. */
function issuesOf(message: string): Issue[] | undefined {
  const start = message.indexOf('[');
  if (start < 0) return undefined;
  try {
    const issues: unknown = JSON.parse(message.slice(start));
    return Array.isArray(issues) && issues.every(isIssue) ? issues : undefined;
  } catch {
    return undefined;
  }
}

function isIssue(value: unknown): value is Issue {
  const { path, message } = Object(value) as Partial<Issue>;
  return Array.isArray(path) && typeof message === 'string';
}
