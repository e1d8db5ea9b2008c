import type { BodyBytes } from '../traffic/exchange/recorded-body';

/** Bytes that all copies of a recorder hold together: many large bodies at once must not take the memory. */
export class CopyBudget {
  private readonly most: number;
  private held = 0;

  constructor(most: number) {
    this.most = most;
  }

  /** @returns false where there is no room for so many bytes */
  take(bytes: number): boolean {
    if (this.held + bytes > this.most) return false;
    this.held += bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.held -= bytes;
  }
}

/** A copy of a body that passes by: of one that is too large, its length alone. */
export class BodyCopy implements BodyBytes {
  length = 0;
  private readonly budget: CopyBudget;
  private readonly mostBytes: number;
  private chunks: Buffer[] | undefined = [];
  private held = 0;

  constructor(budget: CopyBudget, mostBytes: number) {
    this.budget = budget;
    this.mostBytes = mostBytes;
  }

  add(chunk: Buffer): void {
    this.length += chunk.length;
    if (this.chunks === undefined) return;
    if (this.length > this.mostBytes || !this.budget.take(chunk.length)) {
      this.release();
      return;
    }
    this.held += chunk.length;
    this.chunks.push(chunk);
  }

  get content(): Uint8Array | undefined {
    const [first, ...more] = this.chunks ?? [];
    return more.length === 0 ? this.chunks && (first ?? new Uint8Array(0)) : Buffer.concat(this.chunks ?? []);
  }

  /** Lets the bytes go; their number stays. */
  release(): void {
    this.budget.giveBack(this.held);
    this.held = 0;
    this.chunks = undefined;
  }
}
