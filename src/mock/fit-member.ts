import type { JsonValue } from '../json/json-value';
import { scalarText } from '../json/scalar-text';
import type { ApiModel, Property } from '../openapi/model';
import type { SampleSchema } from './sample-schema';

/** A value as its schema takes it: a number may have to be a text. `undefined` leaves the member out. */
export type Fit = (value: JsonValue | undefined) => JsonValue | undefined;

/** What stands for nothing where something must stand. */
const EMPTY: readonly JsonValue[] = [null, '', 0, false];

/** Fits what is told of a list into the member that tells it; nothing is null, or no member, or empty. */
export function fitOf(api: ApiModel, property: Property, sample: SampleSchema): Fit {
  const place = api.schemaAt(property.pointer);
  const isGood = (value: JsonValue): boolean => place === undefined || place.validate('response')(value).length === 0;
  let made: JsonValue | undefined;
  return (value) => {
    const good = value === undefined ? undefined : spellings(value).find(isGood);
    if (good !== undefined) return good;
    if (!property.required) return place !== undefined && isGood(null) ? null : undefined;
    const [empty] = EMPTY.filter(isGood);
    return empty === undefined ? (made ??= place === undefined ? null : sample(place)) : empty;
  };
}

/** A number that must be a text, or a text that must be a number. */
function spellings(value: JsonValue): JsonValue[] {
  const text = scalarText(value);
  const number = Number(text);
  return Number.isFinite(number) ? [value, text, number] : [value, text];
}
