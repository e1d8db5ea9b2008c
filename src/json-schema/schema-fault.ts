/** What is told of a fault beside its message. */
export interface FaultDetails {
  readonly cause?: unknown;
  readonly expected?: string | undefined;
  readonly hint?: string | undefined;
}

/** A schema that cannot judge, and why. It may stand behind a reference of the one that was asked for. */
export class SchemaFault extends Error {
  /** JSON pointer of the schema at fault, or of its keyword that is. */
  readonly pointer: string;
  readonly expected: string | undefined;
  readonly hint: string | undefined;

  constructor(pointer: string, message: string, { cause, expected, hint }: FaultDetails = {}) {
    super(message, { cause });
    this.pointer = pointer;
    this.expected = expected;
    this.hint = hint;
  }
}
