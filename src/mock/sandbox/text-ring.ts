const MAX_BODY_BYTES = 4096;
/** Longer than any head that a server lets in. */
const MAX_HEAD_BYTES = 64 * 1024;
const FIRST_BYTES = 16 * 1024;
const NO_BYTES = Buffer.alloc(0);

/**
 * The latest texts, written as bytes into one piece of memory that is used round and round.
 *
 * A thousand requests kept as strings outlive each collection of young garbage, and copying them there costs a tenth of
 * a request; bytes that were overwritten cost nothing.
 */
export class TextRing {
  private readonly capacity: number;
  private bytes: Buffer = NO_BYTES;
  /** Bytes written since the beginning, and those left out at the end of each round. */
  private written = 0;

  /** @param capacity - bytes; a head takes a quarter of them at most */
  constructor(capacity: number) {
    this.capacity = capacity;
  }

  get position(): number {
    return this.written;
  }

  /**
   * Begins an entry with the head of a request, which is Latin-1 throughout (RFC 9110 §5.5). Two bodies may follow.
   *
   * @returns where the entry begins
   */
  writeHead(text: string): number {
    const length = Math.min(text.length, MAX_HEAD_BYTES, this.capacity / 4);
    const place = this.written % this.capacity;
    // An entry is stored in one piece.
    if (place + length + 2 * MAX_BODY_BYTES > this.capacity) this.written += this.capacity - place;
    const start = this.written;
    const end = (start % this.capacity) + length + 2 * MAX_BODY_BYTES;
    if (end > this.bytes.length) this.reserve(end);
    this.written += this.bytes.write(text, start % this.capacity, length, 'latin1');
    return start;
  }

  /** The beginning of a body; that of a text ends at a whole character. */
  writeBody(body: string | Uint8Array | undefined): void {
    if (body === undefined) return;
    const place = this.written % this.capacity;
    if (typeof body === 'string') this.written += this.bytes.write(body, place, MAX_BODY_BYTES, 'utf8');
    else {
      const beginning = body.length > MAX_BODY_BYTES ? body.subarray(0, MAX_BODY_BYTES) : body;
      this.bytes.set(beginning, place);
      this.written += beginning.length;
    }
  }

  /** Is what was written there still to be read? */
  holds(start: number): boolean {
    return this.written - start <= this.capacity;
  }

  read(start: number, end: number, encoding: 'latin1' | 'utf8'): string {
    return this.bytes.toString(encoding, start % this.capacity, (start % this.capacity) + end - start);
  }

  /** Grows the memory as far as it is needed: many rings never see more than a few requests. */
  private reserve(end: number): void {
    const bytes = Buffer.allocUnsafeSlow(Math.min(this.capacity, Math.max(2 * end, FIRST_BYTES)));
    this.bytes.copy(bytes);
    this.bytes = bytes;
  }
}
