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
  private readonly maxBodyBytes: number;
  private bytes: Buffer = NO_BYTES;
  /** Bytes written since the beginning, and those left out at the end of each round. */
  private written = 0;

  /**
   * @param capacity - bytes; a head takes a quarter of them at most
   * @param maxBodyBytes - of each body so many are kept; twice as many fit into the capacity beside a head
   */
  constructor(capacity: number, maxBodyBytes: number) {
    this.capacity = capacity;
    this.maxBodyBytes = maxBodyBytes;
  }

  /** Bytes of memory that are reserved. */
  get reservedBytes(): number {
    return this.bytes.length;
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
    const bodies = 2 * this.maxBodyBytes;
    const place = this.written % this.capacity;
    // An entry is stored in one piece.
    if (place + length + bodies > this.capacity) this.written += this.capacity - place;
    const start = this.written;
    const end = (start % this.capacity) + length + bodies;
    if (end > this.bytes.length) this.reserve(end);
    this.written += this.bytes.write(text, start % this.capacity, length, 'latin1');
    return start;
  }

  /** The beginning of a body; that of a text ends at a whole character. @returns bytes of the whole body */
  writeBody(body: string | Uint8Array | undefined): number {
    if (body === undefined) return 0;
    const { maxBodyBytes } = this;
    const place = this.written % this.capacity;
    if (typeof body === 'string') {
      const length = this.bytes.write(body, place, maxBodyBytes, 'utf8');
      this.written += length;
      // A character has four bytes at most.
      return length > maxBodyBytes - 4 ? Buffer.byteLength(body) : length;
    }
    const beginning = body.length > maxBodyBytes ? body.subarray(0, maxBodyBytes) : body;
    this.bytes.set(beginning, place);
    this.written += beginning.length;
    return body.length;
  }

  /** Is what was written there still to be read? */
  holds(start: number): boolean {
    return this.written - start <= this.capacity;
  }

  read(start: number, end: number, encoding: 'latin1' | 'utf8'): string {
    return this.bytes.toString(encoding, start % this.capacity, (start % this.capacity) + end - start);
  }

  /** @returns a copy: what is written later changes nothing of it */
  copy(start: number, end: number): Buffer {
    return Buffer.from(this.bytes.subarray(start % this.capacity, (start % this.capacity) + end - start));
  }

  /** Grows the memory as far as it is needed: many rings never see more than a few requests. */
  private reserve(end: number): void {
    const bytes = Buffer.allocUnsafeSlow(Math.min(this.capacity, Math.max(2 * end, FIRST_BYTES)));
    this.bytes.copy(bytes);
    this.bytes = bytes;
  }
}
