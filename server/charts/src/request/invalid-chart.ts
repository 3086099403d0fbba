/** An invalid field of a request. `detail` is the end of a sentence, such as "must be a finite number". */
export interface ChartError {
  /** The JSON Pointer of the field (RFC 6901). */
  readonly pointer: string;
  readonly code:
    | 'conflicting'
    | 'malformed'
    | 'required'
    | 'too_large'
    | 'too_many'
    | 'too_small'
    | 'unsupported_character'
    | 'wrong_type';
  readonly detail: string;
}

/** Thrown for a request that cannot be drawn. Unsupported characters come first; the message has at most ten errors. */
export class InvalidChart extends Error {
  readonly errors: readonly ChartError[];

  constructor(errors: readonly ChartError[]) {
    const sentences = errors.map(({ pointer, detail }) => `${pointer} ${detail}.`);
    super(sentences.slice(0, 10).join(' '));
    this.name = 'InvalidChart';
    this.errors = errors;
  }
}
