import type { JsonValue } from '../../json/json-value';
import type { ParameterLocation } from '../../openapi/model';

type Values = ReadonlyMap<string, JsonValue>;

/** Values of the parameters that were sent, by location and name. */
export interface ParameterValues {
  readonly path: Values;
  readonly query: Values;
  readonly header: Values;
  readonly cookie: Values;
  /** The one parameter that is the whole query (OAS 3.2.0 `in: querystring`). */
  readonly querystring: Values;
}

const NONE: Values = new Map();

/** A map costs as much as a small check, and most requests have values in few places: it is made when it is needed. */
export class CollectedValues implements ParameterValues {
  path = NONE;
  query = NONE;
  header = NONE;
  cookie = NONE;
  querystring = NONE;

  set(place: ParameterLocation, name: string, value: JsonValue): void {
    if (this[place] === NONE) this[place] = new Map();
    (this[place] as Map<string, JsonValue>).set(name, value);
  }
}
