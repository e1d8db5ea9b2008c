/** What the harness says of a server, law by law. */
export const LAWS = [
  'starts',
  'create',
  'read',
  'echo',
  'list',
  'pages',
  'page size',
  'not cut',
  'filter',
  'total',
  'change',
  'replace keeps',
  'act',
  'ready',
  'belongs',
  'relate',
  'remove',
  'batch',
  'content',
  'valid',
  'usable values',
  'no 5xx',
  'no hang',
] as const;

export type Law = (typeof LAWS)[number];
export type Verdict = 'holds' | 'violated' | 'not applicable';

export interface Check {
  readonly law: Law;
  readonly verdict: Verdict;
  /** `POST /pets`. */
  readonly operation: string;
  /** The path of the collection that it is about. */
  readonly collection?: string | undefined;
  /** What was sent, what came and what should have come; of one that does not apply, why. */
  readonly request?: string;
  readonly answer?: string;
  readonly expected?: string;
}

/** What came of one document. */
export interface Trial {
  readonly name: string;
  readonly collections: readonly string[];
  readonly checks: readonly Check[];
  readonly requests: number;
  readonly seconds: number;
  /** Why the document was not tried: it cannot be read. */
  readonly unread?: string;
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Text of at most `length` characters on one line. */
export function cut(text: string, length = 300): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length <= length ? line : `${line.slice(0, length)}…`;
}

/** `petId`, `pet_id` and `Pet-ID` are one name. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** The words of a name in lower case: `createdAt`, `created_at` and `CreatedAt` are two. */
export function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/** Whether two values of JSON are the same. */
export function isSame(left: unknown, right: unknown): boolean {
  if (Array.isArray(left)) {
    return Array.isArray(right) && left.length === right.length && left.every((one, at) => isSame(one, right[at]));
  }
  if (isObject(left)) {
    if (!isObject(right)) return false;
    const names = Object.keys(left);
    return (
      names.length === Object.keys(right).length &&
      names.every((name) => name in right && isSame(left[name], right[name]))
    );
  }
  return left === right;
}
