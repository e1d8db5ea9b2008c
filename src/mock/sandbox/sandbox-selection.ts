import { problem, type Problem } from '../../core/http/problem';
import type { RequestHead } from '../../core/http/message';

/** How a request names its sandbox. `undefined` where that way is closed. */
export interface SandboxSelectors {
  /** Name of a header, lower case. */
  readonly header: string | undefined;
  readonly cookie: string | undefined;
  /** Path before `/<id>`, such as `/_s`. */
  readonly path: string | undefined;
}

/** The id that means what a request without any gets. */
export const MAIN_ID = 'default';

const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const ID_RULE = '1 to 64 letters, digits, ".", "_" or "-", the first of them a letter or a digit';

/** Which sandbox a request names, and the request as it is inside of it. */
export type Selection =
  | { readonly kind: 'named'; readonly id: string; readonly head: RequestHead }
  | { readonly kind: 'invalid'; readonly problem: Problem };

/** May this be the id of a sandbox? It stands in headers, cookies and paths. */
export function isSandboxId(id: string): boolean {
  return ID.test(id);
}

/** What is wrong with an id that {@link isSandboxId} rejects. */
export function sandboxIdProblem(id: string, where: string): Problem {
  const told = id === '' ? 'is empty' : `names the sandbox ${JSON.stringify(id.slice(0, 80))}`;
  const more = id === '' ? `; ${MAIN_ID} is the main state` : '';
  return problem('invalid_sandbox', `${where} ${told}; an id has ${ID_RULE}${more}`);
}

/**
 * Looks for the sandbox of a request: the header first, then the path, then the cookie. One that is named in the path is
 * moved to the mount path, so that the links of its responses lead back into it.
 *
 * @returns `undefined` for none, at the cost of a look at each of the three
 */
export function selectSandbox(selectors: SandboxSelectors, head: RequestHead): Selection | undefined {
  const inHeader = selectors.header === undefined ? undefined : head.headers[selectors.header];
  const cookies = selectors.cookie === undefined ? undefined : head.headers['cookie'];
  const mayBeInPath =
    selectors.path !== undefined && (head.target.startsWith(selectors.path) || head.target[0] !== '/');
  if (inHeader === undefined && cookies === undefined && !mayBeInPath) return undefined;
  const place = selectors.path === undefined ? undefined : placeInPath(head, selectors.path);
  return select(
    selectors,
    inHeader === undefined ? undefined : String(inHeader),
    place,
    readCookie(String(cookies ?? ''), selectors.cookie),
    head,
  );
}

/** The id of the sandbox that a request is for; the main one where it names none, and where what it names is none. */
export function sandboxOf(selectors: SandboxSelectors, head: RequestHead): string {
  const selection = selectSandbox(selectors, head);
  return selection?.kind === 'named' ? selection.id : MAIN_ID;
}

function select(
  { header = '' }: SandboxSelectors,
  inHeader: string | undefined,
  inPath: { readonly id: string; readonly head: RequestHead } | undefined,
  inCookie: string | undefined,
  head: RequestHead,
): Selection | undefined {
  if (inHeader !== undefined && inPath !== undefined && inHeader !== inPath.id) {
    const message = `The header ${header} names the sandbox ${JSON.stringify(inHeader.slice(0, 80))}, the path names another; name one`;
    return { kind: 'invalid', problem: problem('invalid_sandbox', message) };
  }
  const inside = inPath?.head ?? head;
  if (inPath !== undefined) return named(inPath.id, 'The path', inside);
  // An empty one is a variable that was never set: the main state would be shared with everybody, without a word.
  if (inHeader !== undefined) return named(inHeader, `The header ${header}`, inside);
  return inCookie === undefined ? undefined : named(inCookie, 'The cookie', inside);
}

function named(id: string, where: string, head: RequestHead): Selection {
  if (isSandboxId(id)) return { kind: 'named', id, head };
  return { kind: 'invalid', problem: sandboxIdProblem(id, where) };
}

/** `/_s/a/books` is `/books` below the mount path `/_s/a`; an absolute-form target keeps its authority. */
function placeInPath(head: RequestHead, prefix: string): { id: string; head: RequestHead } | undefined {
  const [, authority = '', path = ''] = /^(https?:\/\/[^/?]*)?(\/.*)$/is.exec(head.target) ?? [];
  if (!path.startsWith(`${prefix}/`)) return undefined;
  const [, id = '', rest = ''] = /^([^/?]*)(.*)$/s.exec(path.slice(prefix.length + 1)) ?? [];
  const target = `${authority}${rest.startsWith('/') ? rest : `/${rest}`}`;
  return {
    id,
    head: { ...head, target, parsedTarget: undefined, mountPath: `${head.mountPath ?? ''}${prefix}/${id}` },
  };
}

function readCookie(cookies: string, name: string | undefined): string | undefined {
  if (name === undefined || cookies === '') return undefined;
  for (const pair of cookies.split(';')) {
    const at = pair.indexOf('=');
    // A value may stand in quotes (RFC 6265 §4.1.1).
    if (at !== -1 && pair.slice(0, at).trim() === name)
      return pair
        .slice(at + 1)
        .trim()
        .replace(/^"(.*)"$/, '$1');
  }
  return undefined;
}

/** How many sandboxes there may be, and for how long without a request. */
export interface SandboxLimits {
  readonly count: number;
  /** Milliseconds of the mock's clock. */
  readonly idleMs: number;
}
