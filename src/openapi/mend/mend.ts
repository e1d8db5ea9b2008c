import type { SourceFinding } from '../../errors/source-finding';
import type { JsonValue } from '../../json/json-value';
import type { SchemaObject } from '../../json-schema/schema';
import type { GrammarVersion, ObjectKind } from '../object-grammar';

/** An object of a description that nobody has made a model of yet: its members may be changed. */
export interface MendableObject {
  readonly kind: ObjectKind;
  readonly value: SchemaObject;
  readonly version: GrammarVersion;
  /** Says how a member was read. */
  readonly tell: (member: string, finding: Pick<SourceFinding, 'message' | 'expected' | 'hint'>) => void;
  /** Gives a member another value, or none with `undefined`. */
  readonly set: (member: string, value: JsonValue | undefined) => void;
  /** Gives a member another name. */
  readonly rename: (member: string, name: string) => void;
}

/** Reads a part of a description as its author meant it, where that is plain, and tells of it. */
export type Mend = (object: MendableObject) => void;
