/** Rules of `redocly diff` for breaking changes that its built-in rules do not report: see redocly.yaml. */

/** A difference between two documents. Redocly does not export this type. */
interface Change {
  readonly kind: 'added' | 'removed' | 'modified';
  /** The changed property of a modified node ("key" for a renamed one); `base` and `revision` have its values. */
  readonly property?: string;
  readonly base: { readonly value: unknown };
  readonly revision: { readonly value: unknown };
  readonly node: Record<'base' | 'revision', { readonly key: string }>;
}

interface Context {
  readonly report: (problem: { readonly message: string }) => void;
  readonly getDirections: () => readonly ('request' | 'response')[];
}

const oas3 = {
  /** A client that omits a field depends on its default. */
  'default-changed': () => ({
    Schema({ property, base, revision }: Change, { report, getDirections }: Context) {
      if (property !== 'default' || !getDirections().includes('request')) return;
      const [before = 'none', after = 'none'] = [base, revision].map(({ value }) => JSON.stringify(value));
      report({ message: `The default changed from ${before} to ${after}.` });
    },
  }),
  /** The server ignores unknown fields, so it would drop what clients send. */
  'request-property-removed': () => ({
    SchemaProperties: {
      Schema({ kind, property, node }: Change, { report, getDirections }: Context) {
        if ((kind !== 'removed' && property !== 'key') || !getDirections().includes('request')) return;
        report({ message: `Property \`${node.base.key}\` of requests was removed.` });
      },
    },
  }),
  'response-header-optional': () => ({
    Header({ property, base }: Change, { report }: Context) {
      if (property === 'required' && base.value === true) report({ message: 'The header may be missing.' });
    },
  }),
  /** A client that switches over statuses does not know a new one. Removing an error status breaks no client. */
  'status-changed': () => ({
    Responses: {
      Response({ kind, property, node }: Change, { report }: Context) {
        const isRenamed = property === 'key';
        if (kind === 'added' || isRenamed) report({ message: `Status \`${node.revision.key}\` is new.` });
        if ((kind === 'removed' || isRenamed) && /^[12]/.test(node.base.key))
          report({ message: `Status \`${node.base.key}\` was removed.` });
      },
    },
  }),
};

// Redocly loads the default export.
export default (): object => ({ id: 'worktable', diff: { oas3 } });
