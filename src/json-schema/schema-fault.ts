/** A schema that cannot judge, and why. It may stand behind a reference of the one that was asked for. */
export class SchemaFault extends Error {
  /** JSON pointer of the schema at fault. */
  readonly pointer: string;

  constructor(pointer: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.pointer = pointer;
  }
}
