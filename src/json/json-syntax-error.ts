import type { TextPosition } from './text-position';

/** What is wrong with a text: its grammar, a repeated member name, a limit it exceeds, or its bytes. */
export type JsonSyntaxErrorKind = 'syntax' | 'duplicate-member' | 'too-deep' | 'number-too-long' | 'encoding';

/** A text that is not acceptable JSON. The message says what was wrong, where, and what was expected. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
  readonly kind: JsonSyntaxErrorKind;
  /** UTF-16 units from the start of the text, from 0; bytes for the kind `encoding`. */
  readonly offset: number;
  /** From 1. */
  readonly line: number;
  /** UTF-16 units, from 1. */
  readonly column: number;
  /** JSON pointer (RFC 6901) of the innermost value known to enclose the place; '' for the root. */
  readonly pointer: string;

  constructor(kind: JsonSyntaxErrorKind, message: string, position: TextPosition, pointer: string) {
    super(message);
    this.kind = kind;
    this.offset = position.offset;
    this.line = position.line;
    this.column = position.column;
    this.pointer = pointer;
  }
}
