import { joinPointer } from './json-pointer';
import { eachChild } from './lazy-positions';
import type { PositionRecorder } from './position-recorder';

/**
 * Knows the way to the value that a parser is at, and forgets what it has left: enough to say where a text is wrong, at
 * a fraction of the cost of a tree of all its values.
 */
export class OpenPath implements PositionRecorder {
  readonly #text: string;
  readonly #segments: (string | number)[] = [];
  /** Of the root and of each open value, from the outside in. */
  readonly #offsets: number[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  enter(segment: string | number): void {
    this.#segments.push(segment);
  }

  place(offset: number): void {
    this.#offsets[this.#segments.length] = offset;
  }

  leave(): void {
    this.#segments.pop();
  }

  keyOffset(name: string): number | undefined {
    let found: number | undefined;
    eachChild(this.#text, this.#offsets[this.#segments.length] ?? 0, (child) => {
      if (child.name === name) found = child.nameOffset;
      return found === undefined;
    });
    return found;
  }

  pointer(): string {
    return this.#segments.reduce<string>(joinPointer, '');
  }
}
