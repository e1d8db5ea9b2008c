import type { JsonValue } from '../../core/json/json-value';
import { decodeQueryComponent } from '../../core/http/request-target';
import { type DecodedParameter, readScalar, type StyledParameter, type TextShape } from './text-shape';

/** `[a]`, `[a][b]`, `[]` after the name. */
const BRACKETS = /^(?:\[[^[\]]*\])+$/;

/** Properties of a nested value, by the text between brackets; the texts stand at the ends. */
interface Branch {
  texts: readonly string[];
  /** Made for the first of them: most are ends, and clients send as many as they like. */
  branches: Map<string, Branch> | undefined;
}

const NOTHING: readonly string[] = [];

/** The names under which properties of a `deepObject` are sent, with what stands between the brackets. */
export function bracketPath(name: string, sent: string): readonly string[] | undefined {
  const rest = sent.startsWith(`${name}[`) ? sent.slice(name.length) : '';
  return BRACKETS.test(rest) ? rest.slice(1, -1).split('][') : undefined;
}

/** Deeper properties are rejected, not dropped. */
const MAX_DEPTH = 8;

/**
 * Reads `color[R]=100&color[G]=200` (OAS 3.0.3 "Style Values", `deepObject`). One level of properties is all that the
 * standard defines. What it does not define is read as nearly every server does: further levels in further brackets,
 * lists as `a[]=1` or `a[0]=1`.
 *
 * @returns `undefined` when no such name was sent
 */
export function readDeepObject(
  { name, shape }: Pick<StyledParameter, 'name' | 'shape'>,
  sent: ReadonlyMap<string, readonly string[]>,
): DecodedParameter | undefined {
  const root: Branch = { texts: NOTHING, branches: undefined };
  for (const [key, texts] of sent) {
    const path = bracketPath(name, key);
    if (path === undefined) continue;
    const depth = path.filter((step) => !isIndex(step)).length;
    if (depth > MAX_DEPTH || path.length > 2 * MAX_DEPTH) return tooDeep(key);
    let branch = root;
    for (const step of path) {
      const branches = (branch.branches ??= new Map<string, Branch>());
      let next = branches.get(step);
      if (next === undefined) branches.set(step, (next = { texts: NOTHING, branches: undefined }));
      branch = next;
    }
    // No two names have one path.
    branch.texts = texts;
  }
  return root.branches === undefined ? undefined : readBranch(root, shape, name);
}

function tooDeep(key: string): DecodedParameter {
  const reason = `has the property "${key}": the style deepObject is read for ${MAX_DEPTH} levels of properties`;
  return { kind: 'unreadable', reason };
}

function isIndex(step: string): boolean {
  return step === '' || /^\d{1,4}$/.test(step);
}

function readBranch(branch: Branch, shape: TextShape | undefined, name: string): DecodedParameter {
  const { texts, branches } = branch;
  if (shape?.kind === 'array' || (shape?.kind !== 'object' && isListed(branches))) return readList(branch, shape, name);
  if (branches !== undefined) return readProperties(texts, branches, shape, name);
  const [text = ''] = texts;
  if (texts.length > 1) return { kind: 'unreadable', reason: `has the property "${name}" twice` };
  const decoded = decodeQueryComponent(text);
  if (decoded === undefined) return { kind: 'undecodable' };
  return { kind: 'value', value: readScalar(decoded, shape?.scalars ?? []) };
}

/** Do brackets hold nothing but numbers, where no schema says what they are? */
function isListed(branches: ReadonlyMap<string, Branch> | undefined): boolean {
  return branches !== undefined && [...branches.keys()].every(isIndex);
}

function readProperties(
  texts: readonly string[],
  branches: ReadonlyMap<string, Branch>,
  shape: TextShape | undefined,
  name: string,
): DecodedParameter {
  if (texts.length > 0) return { kind: 'unreadable', reason: `has "${name}" both as a value and with properties` };
  const properties: [string, JsonValue][] = [];
  for (const [step, child] of branches) {
    const read = readBranch(child, shape?.property(step), `${name}[${step}]`);
    if (read.kind !== 'value') return read;
    properties.push([step, read.value]);
  }
  return { kind: 'value', value: Object.fromEntries(properties) };
}

function readList({ texts, branches }: Branch, shape: TextShape | undefined, name: string): DecodedParameter {
  const values: JsonValue[] = [];
  const parts = [
    ...texts.map((text): [string, Branch] => ['', { texts: [text], branches: undefined }]),
    ...inOrder(branches ?? new Map<string, Branch>()).flatMap(([step, child]): [string, Branch][] =>
      child.branches === undefined
        ? child.texts.map((text) => [step, { texts: [text], branches: undefined }])
        : [[step, child]],
    ),
  ];
  for (const [step, part] of parts) {
    if (!isIndex(step)) return { kind: 'unreadable', reason: `has the property "${name}[${step}]", but it is a list` };
    const read = readBranch(part, shape?.item(values.length), name);
    if (read.kind !== 'value') return read;
    values.push(read.value);
  }
  return { kind: 'value', value: values };
}

/** `a[1]=y&a[0]=x` is x, y; what has no number keeps its place. */
function inOrder(branches: ReadonlyMap<string, Branch>): [string, Branch][] {
  return [...branches].sort(([one], [other]) => Number(one) - Number(other));
}
