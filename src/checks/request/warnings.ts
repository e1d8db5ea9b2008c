/** One way in which requests are read more kindly than the description or a standard has it. */
interface LenientReadingInfo {
  /** What is taken, for docs and people. */
  readonly what: string;
  /** What it is a deviation from. */
  readonly standard: string;
  /** The warning about a request that needed it. */
  readonly warning: (...parts: string[]) => string;
}

/**
 * Every lenient reading of requests, by the code of its warning. All are rejected with `--strict` and with
 * `Prefer: handling=strict` (RFC 7240 §4.4). docs/reference/requests.md has the same table.
 */
export const LENIENT_READINGS = {
  not_acceptable: {
    what: 'An `Accept` that fits none of the documented types gets the nearest of them.',
    standard: 'RFC 9110 §15.5.7; §12.5.1 lets a server ignore it',
    warning: (offered: string, given: string) =>
      `The header Accept leaves out ${offered}, which is all there is; the response is ${given}`,
  },
  trailing_slash: {
    what: 'A path with a slash at its end that the description has without, or the other way round.',
    standard: 'RFC 3986 §6.2.3',
    warning: (path: string, how: string) => `The path was read as ${path}, ${how} a slash at its end`,
  },
  server_variable: {
    what: 'A base path with a value of a server variable that its `enum` does not list.',
    standard: 'OAS 3.0.3 §4.7.6',
    warning: (sent: string, usual: string) =>
      `The base path ${sent} has a value of a server variable that is not listed; taken as ${usual}`,
  },
  content_type: {
    what: 'A body without `Content-Type`, JSON under the name of another JSON type, any type where octets are declared and no JSON.',
    standard: 'RFC 9110 §8.3, §15.5.16',
    warning: (found: string, mediaType: string) => `${found}; the body was read as ${mediaType}`,
  },
  boolean_word: {
    what: '`1`, `t`, `yes`, `on` and `True` as a boolean of a parameter or a form, `0`, `f`, `no`, `off` and `False` likewise.',
    standard: 'OAS 3.0.4 Appendix B; RFC 8259 §3',
    warning: (place: string) => `${place} has another word for a boolean than true or false`,
  },
  local_time: {
    what: 'A time of day without an offset, such as `09:00:00` or `09:00`, for `format: time`: it is taken as UTC.',
    standard: 'RFC 3339 §5.6',
    warning: (place: string) => `${place} has a time without an offset, which RFC 3339 asks for: it was taken as UTC`,
  },
  encoded_delimiter: {
    what: '`%2C` between the values of a list that is sent in one.',
    standard: 'OAS 3.0.4 §4.7.12.3, RFC 6570 §3.2.1',
    warning: (place: string) => `${place} has %2C between its values, which is data; it was read as a comma`,
  },
  undeclared_body: {
    what: 'A body, JSON or a form, of an operation that writes an item and declares no body.',
    standard: 'OAS 3.0.3 §4.7.10: without `requestBody` nothing is said of a body',
    warning: (operation: string) => `${operation} declares no body; the one that was sent was read as the item`,
  },
  missing_body: {
    what: 'A `DELETE` without the body that the description requires, where nothing in it must be there.',
    standard: 'OAS 3.0.3 §4.7.13; RFC 9110 §9.3.5 gives such a body no meaning',
    warning: () => 'The body is missing: nothing in it must be there',
  },
  stored_key: {
    what: 'A key in the path that its schema rejects, where an item with that key is stored: what a list shows is at its address.',
    standard: 'OAS 3.0.3 §4.7.12.1',
    warning: (place: string) => `${place} breaks its schema, and is the key of an item`,
  },
  post_for_get: {
    what: '`POST` to a procedure that is documented as `GET`, `/things.list`: the properties of its form or JSON are the parameters.',
    standard: 'RFC 9110 §15.5.6',
    warning: (path: string) => `${path} is documented as GET; the properties of the body were taken for its parameters`,
  },
  credential_elsewhere: {
    what: 'A required parameter `token` that is not sent, because the credentials are in `Authorization`.',
    standard: 'OAS 3.0.3 §4.7.12.1',
    warning: (name: string) => `The parameter ${name} is missing; Authorization was taken for it`,
  },
  api_version: {
    what: 'A version of the API that the description does not list, in a header `…-Version` or the query parameter `api-version`.',
    standard: 'JSON Schema Validation §6.1.2',
    warning: (place: string) => `${place} names a version of the API that is not described`,
  },
  missing_optional: {
    what: 'A required parameter or property that is not sent, where the description shows that it can be done without: it has a `default`, may be `null`, is described as optional, or is a parameter that the body has as a property; beside such a one, a boolean or a word of an `enum` as well.',
    standard: 'OAS 3.0.3 §4.7.12.1; JSON Schema Validation §6.5.3',
    warning: (what: string) =>
      `${what}, which is required; that was accepted, because the description shows that it may be left out`,
  },
  null_member: {
    what: '`null` for a property that may be left out and not be `null`: it is taken as left out; so are other empty values of a body that has `null`.',
    standard: 'JSON Schema Validation §6.1.1',
    warning: (pointers: string) =>
      `What is not set was taken as left out, because the description does not allow null or empty values there: ${pointers}`,
  },
  key_for_object: {
    what: 'The key of an object, such as `"owner": "7"`, where the description has the object, `{ "id": "7" }`.',
    standard: 'JSON Schema Validation §6.1.1',
    warning: (pointers: string) => `The key of an object was taken for the object: ${pointers}`,
  },
  bare_list: {
    what: 'A list of plain values as the body where that is an object with one such list, `["a"]` for `{ "ids": ["a"] }`.',
    standard: 'JSON Schema Validation §6.1.1',
    warning: (name: string) => `The list that is the body was taken for its property "${name}"`,
  },
  fits_several: {
    what: 'A JSON body that fits more than one of the schemas of a `oneOf`.',
    standard: 'JSON Schema Core §10.2.1.3',
    warning: (pointer: string) =>
      `The body fits several of the schemas of a "oneOf", and the description does not distinguish them: ${pointer || 'the whole of it'}`,
  },
  member_in_path: {
    what: 'A body without a required property whose value is in the path: `project` below `/projects/{project_id}`.',
    standard: 'JSON Schema Validation §6.5.3',
    warning: (name: string) => `The body lacks "${name}", which the path names`,
  },
  key_of_seed: {
    what: 'A creation under the key of an item that the mock began with by an example or made up, and that nobody has changed: the new item takes its place. Items of fixtures stay.',
    standard: 'RFC 9110 §15.5.10',
    warning: (collection: string) =>
      `The new item takes the place of one that ${collection} began with, by an example or made up, and that has its key`,
  },
  json_patch_schema: {
    what: 'The list of operations of a JSON Patch where the description says that the body is something else.',
    standard: 'OAS 3.0.3 §4.7.14; RFC 6902 §3 has it so',
    warning: () => 'The body is a JSON Patch, as its Content-Type says; the description has another schema for it',
  },
} as const satisfies Readonly<Record<string, LenientReadingInfo>>;

type LenientReading = keyof typeof LENIENT_READINGS;

/** What a client should know although its request was answered: in the journal, the log and `X-Standin-Problem`. */
export interface Warning {
  /** A {@link LenientReading}, or a word for what was left undone. */
  readonly code: string;
  /** For people; without values that could be secrets. */
  readonly message: string;
}

const NONE: readonly Warning[] = [];

/** Nobody reads more of one request than this. */
const MAX_WARNINGS = 20;

const MORE: Warning = {
  code: 'more_warnings',
  message: `There were more than ${MAX_WARNINGS} warnings of this request`,
};

/** Collects the warnings of one request, from the look at its head to its response. Costs nothing while there are none. */
export class Warnings {
  private list: Warning[] | undefined;
  private pointers: Set<string> | undefined;
  private isStrict: boolean;

  /** @param isStrict - is everything rejected that is read more kindly than the description and the standards have it? */
  constructor(isStrict: boolean) {
    this.isStrict = isStrict;
  }

  /** From now on every lenient reading is rejected. */
  beStrict(): void {
    this.isStrict = true;
  }

  /** May anything be read more kindly than the standards do? */
  get isLenient(): boolean {
    return !this.isStrict;
  }

  /** In the order in which they were met. */
  get all(): readonly Warning[] {
    return this.list ?? NONE;
  }

  /**
   * The same warning is reported once, however often it is met.
   *
   * @param pointers - the values of the body that it is about
   */
  add(code: string, message: string, pointers: readonly string[] = []): void {
    for (const pointer of pointers) (this.pointers ??= new Set()).add(pointer);
    const list = (this.list ??= []);
    if (list.some((known) => known.code === code && known.message === message)) return;
    if (list.length < MAX_WARNINGS) list.push({ code, message });
    else if (list.length === MAX_WARNINGS) list.push(MORE);
  }

  /** Is there a warning about a value of the body, or about one inside of it? */
  concern(pointer: string): boolean {
    const concerned = this.pointers === undefined ? [] : [...this.pointers];
    return concerned.some((each) => each === pointer || each.startsWith(`${pointer}/`));
  }

  /**
   * May something be read more kindly than the description or a standard has it? If so the warning of it is added.
   *
   * @param parts - what the warning names
   * @returns `false` where strict handling is asked for: reject it
   */
  allows<Reading extends LenientReading>(
    reading: Reading,
    ...parts: Parameters<(typeof LENIENT_READINGS)[Reading]['warning']>
  ): boolean {
    if (this.isStrict) return false;
    const { warning }: LenientReadingInfo = LENIENT_READINGS[reading];
    this.add(reading, warning(...parts));
    return true;
  }
}
