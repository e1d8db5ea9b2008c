import { joinPointer } from '../../json/json-pointer';
import { isJsonObject, type JsonValue } from '../../json/json-value';

/** A text within a JSON value. */
export interface PlacedText {
  /** JSON pointer to the text, or to the member that has it as its name. */
  readonly pointer: string;
  readonly text: string;
  /** Name of the member that holds it; `undefined` at the top and in lists. */
  readonly member: string | undefined;
}

/** Every string of a JSON value, and with `names` every member name as well. */
export function* textsOfJson(value: JsonValue, names = false, pointer = '', member?: string): Generator<PlacedText> {
  if (typeof value === 'string') yield { pointer, text: value, member };
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* textsOfJson(item, names, joinPointer(pointer, index));
  } else if (isJsonObject(value)) {
    for (const [name, item] of Object.entries(value)) {
      const place = joinPointer(pointer, name);
      if (names) yield { pointer: place, text: name, member: name };
      yield* textsOfJson(item, names, place, name);
    }
  }
}
