/** Is told by a parser where it is, and knows what was told. Offsets are in UTF-16 units. */
export interface PositionRecorder {
  /** Opens a member or element of the open value. */
  enter(segment: string | number, keyOffset?: number): void;
  /** Notes where the open value starts. */
  place(offset: number): void;
  /** Closes the open value. */
  leave(): void;
  /** Where the open object's first member name that reads so stands; undefined when it has none of that name yet. */
  keyOffset(name: string): number | undefined;
  /** JSON pointer (RFC 6901) of the open value. */
  pointer(): string;
}
