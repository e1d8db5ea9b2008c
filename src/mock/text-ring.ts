const MAX_BODY_BYTES = 4096;
/** Longer than any head that a server lets in. */
const MAX_HEAD_BYTES = 64 * 1024;
const CAPACITY = 4 * 1024 * 1024;

/**
 * The latest texts, written as bytes into one piece of memory that is used round and round.
 *
 * A thousand requests kept as strings outlive each collection of young garbage, and copying them there costs a tenth of
 * a request; bytes that were overwritten cost nothing.
 */
export class TextRing {
  // Made on the first use: a mock that is never asked needs none.
  private bytes: Buffer | undefined;
  /** Bytes written since the beginning, and those left out at the end of each round. */
  private written = 0;

  /** Where the next body begins. */
  get position(): number {
    return this.written;
  }

  /**
   * Begins an entry with the head of a request, which is Latin-1 throughout (RFC 9110 §5.5). Two bodies may follow.
   *
   * @returns where the entry begins
   */
  writeHead(text: string): number {
    const length = Math.min(text.length, MAX_HEAD_BYTES);
    const place = this.written % CAPACITY;
    // An entry is kept in one piece.
    if (place + length + 2 * MAX_BODY_BYTES > CAPACITY) this.written += CAPACITY - place;
    const start = this.written;
    this.written += this.memory().write(text, start % CAPACITY, length, 'latin1');
    return start;
  }

  /** The beginning of a body; that of a text ends at a whole character. */
  writeBody(body: string | Uint8Array | undefined): void {
    if (body === undefined) return;
    const place = this.written % CAPACITY;
    if (typeof body === 'string') this.written += this.memory().write(body, place, MAX_BODY_BYTES, 'utf8');
    else {
      const beginning = body.length > MAX_BODY_BYTES ? body.subarray(0, MAX_BODY_BYTES) : body;
      this.memory().set(beginning, place);
      this.written += beginning.length;
    }
  }

  /** Is what was written there still to be read? */
  holds(start: number): boolean {
    return this.written - start <= CAPACITY;
  }

  read(start: number, end: number, encoding: 'latin1' | 'utf8'): string {
    return this.memory().toString(encoding, start % CAPACITY, (start % CAPACITY) + end - start);
  }

  private memory(): Buffer {
    return (this.bytes ??= Buffer.allocUnsafeSlow(CAPACITY));
  }
}
