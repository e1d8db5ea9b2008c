import type { SchemaObject } from '../json-schema/schema';

const KIND = /^(?:the )?(?:object|resource|item|entity)(?: |'s )type: ["'`“](\w+)["'`”]\W*$/i;

/** The one word that a text is told to be, where it says of what type an object is: `The object type: "book"`. */
export function kindInProse({ type, description }: SchemaObject): string | undefined {
  return type === 'string' && typeof description === 'string' ? KIND.exec(description.trim())?.[1] : undefined;
}
