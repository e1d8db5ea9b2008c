import { memoize } from '../http/memo';
import type { ResourceDescription } from './resource-model';

const VARIABLE = /\{[^{}]*\}/g;

/** A path template with its variables filled in, first to last; each value is percent-encoded as one segment. */
export function fillTemplate(template: string, values: readonly (string | number | bigint)[]): string {
  if (values.length === 0) return template;
  let text = '';
  for (const [index, piece] of piecesOf(template).entries()) {
    const value = index % 2 === 0 ? undefined : values[(index - 1) / 2];
    text += value === undefined ? piece : encodeURIComponent(String(value));
  }
  return text;
}

/** What stands between the variables of a template, and they themselves, by turns. */
const piecesOf = memoize((template) => template.split(/(\{[^{}]*\})/));

/** Where the name of a collection leads. */
export interface NamedPlace<Named> {
  readonly resource: Named;
  /** What stands in the place of the variables of its path, decoded. */
  readonly values: readonly string[];
}

/**
 * The resource that keeps its items under a name: `/books`, or `/shelves/7/books` for `/shelves/{shelfId}/books`.
 *
 * @returns `undefined` where no resource does; a path with variables that nothing fills names none
 */
export function placeOfName<Named extends Pick<ResourceDescription, 'path' | 'scope'>>(
  resources: readonly Named[],
  name: string,
): NamedPlace<Named> | undefined {
  // `/shelves/special/books` may be a path of its own beside `/shelves/{shelfId}/books`.
  const whole = resources.find(({ path, scope }) => scope.length === 0 && path === name);
  if (whole !== undefined) return { resource: whole, values: [] };
  for (const resource of resources) {
    const values = resource.scope.length === 0 ? undefined : namePattern(resource.path).exec(name)?.slice(1);
    const decoded = values?.map(decode);
    if (decoded?.every((value) => value !== undefined) === true) return { resource, values: decoded };
  }
  return undefined;
}

const PATTERNS = new Map<string, RegExp>();

/** Names of the collections of a resource: its path, with any value for each variable. */
export function namePattern(path: string): RegExp {
  let pattern = PATTERNS.get(path);
  if (pattern === undefined) {
    const literals = path.split(VARIABLE).map((literal) => literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    PATTERNS.set(path, (pattern = new RegExp(`^${literals.join('([^/{}]+)')}$`)));
  }
  return pattern;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
