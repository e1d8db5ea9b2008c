import { createHash } from 'node:crypto';

/** Numbers that look like chance and are the same for the same seed, on every machine. */
export class RandomStream {
  private readonly seed: string;
  private count = 0;

  constructor(seed: string) {
    this.seed = seed;
  }

  /** From 0 up to, but without, 1. */
  next(): number {
    this.count += 1;
    return createHash('sha256').update(`${this.seed}\n${this.count}`).digest().readUIntBE(0, 6) / 2 ** 48;
  }

  /** Begins anew. */
  reset(): void {
    this.count = 0;
  }
}
