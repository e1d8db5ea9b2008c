import type { Answer, Call, Header, Place } from './message';

/** What the proxy has to know of an API to tell its resources apart, and to ask it something itself. */
export interface Dialect {
  readonly placeOf: (call: Call) => Place;
  /** The collection that an operation is about. */
  readonly resourceOf: (operation: string | undefined) => string | undefined;
  /** The resource that an exchange is about; one that was just made is known by the id in its answer. */
  readonly subjectOf: (call: Call, place: Place, answer: Answer | undefined) => string;
  /** The header line that a key is sent in. */
  readonly credential: (key: string) => Header;
}
