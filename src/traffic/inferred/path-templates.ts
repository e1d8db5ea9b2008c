import { decodePathSegment } from '../../core/http/request-target';
import { isJsonNumber } from '../../core/json/exact-number';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import { singularWords, wordsOf } from '../../core/text/inflection';
import { type Group, groupBy } from '../../core/text/group-by';
import { isKeyName } from '../../openapi/naming/property-names';
import { isApiWord, isPlural, isSelfWord, isVersion, looksLikeKey } from './key-look';
import type { KeyProof, KeyProofs } from './key-proofs';
import { camelCase, uniqueName } from './names';
import { isAccepted, isSuccess, jsonOf, type Observation } from './observation';

export type TemplateSegment =
  | { readonly kind: 'literal'; readonly text: string }
  | {
      readonly kind: 'variable';
      readonly name: string;
      /** What stands before and behind it in its segment: `.json`, `:cancel`, `Things(`. */
      readonly before: string;
      readonly after: string;
      /** Was one of its values shown as a text? */
      readonly isText: boolean;
    };

export function isVariable(segment: TemplateSegment): segment is TemplateSegment & { readonly kind: 'variable' } {
  return segment.kind === 'variable';
}

/** A place of the API, and what was sent to it. */
export interface ObservedPath {
  readonly segments: readonly TemplateSegment[];
  readonly observations: readonly Observation[];
}

/** The template of a path: `/things/{thingId}`. */
export function templateText(segments: readonly TemplateSegment[]): string {
  return segments
    .map((each) => (each.kind === 'literal' ? `/${each.text}` : `/${each.before}{${each.name}}${each.after}`))
    .join('');
}

/** The value that a request had for the variable at a place of its path. */
export function variableValue(segment: TemplateSegment, raw: string): string {
  const { before, after } = segment.kind === 'variable' ? segment : { before: '', after: '' };
  return decodedText(raw.slice(before.length, raw.length - after.length));
}

/**
 * The places that requests were sent to. Segments that stand at one place and are values of keys become one variable: by
 * their look, because a message showed them as keys, or because several of them lead to the same.
 */
export function inferPaths(observations: readonly Observation[], proofs: KeyProofs): ObservedPath[] {
  const found: ObservedPath[] = [];
  splitAt([], observations, proofs, found);
  return found;
}

function splitAt(
  prefix: readonly TemplateSegment[],
  observations: readonly Observation[],
  proofs: KeyProofs,
  found: ObservedPath[],
): void {
  const depth = prefix.length;
  const ended = observations.filter(({ segments }) => segments.length === depth);
  if (ended.length > 0) found.push({ segments: prefix, observations: ended });
  const further = observations.filter(({ segments }) => segments.length > depth);
  const branches = groupBy(further, ({ segments }) => segments[depth] ?? '').map((group) => toBranch(group, depth));
  const keys = keysAmong(branches, prefix, proofs, ended);
  for (const { raw, group } of branches.filter((branch) => !keys.has(branch)))
    splitAt([...prefix, { kind: 'literal', text: decodedText(raw) }], group, proofs, found);
  for (const alike of groupBy([...keys.keys()], ({ before, after }) => JSON.stringify([before, after]))) {
    const known = alike.flatMap((branch) => keys.get(branch) ?? []);
    const [{ before, after }] = alike;
    const property = shownProperty(alike, lastWord(prefix)) ?? known.find((proof) => proof.property !== '')?.property;
    const name = variableName(prefix, alike, property);
    const isText = known.some((proof) => proof.isText);
    const variable: TemplateSegment = { kind: 'variable', name, before, after, isText };
    splitAt([...prefix, variable], inOrder(further, alike), proofs, found);
  }
}

/** The observations of several branches in the order in which they were recorded. */
function inOrder(all: readonly Observation[], branches: readonly Branch[]): Observation[] {
  const kept = new Set(branches.flatMap(({ group }) => group));
  return all.filter((each) => kept.has(each));
}

/** What was sent to one text at a place of the path, and below it. */
interface Branch {
  readonly raw: string;
  /** Without what stands around a key, decoded. */
  readonly value: string;
  readonly before: string;
  readonly after: string;
  readonly depth: number;
  readonly group: Group<Observation>;
}

function toBranch(group: Group<Observation>, depth: number): Branch {
  const raw = group[0].segments[depth] ?? '';
  const [, before = '', core = raw, after = ''] =
    /^([A-Za-z]\w*\('?)([^()']+)('?\))$/.exec(raw) ??
    /^()(.+)(:[A-Za-z][\w-]*)$/.exec(raw) ??
    /^()(.+)(\.(?:json|xml|csv|pdf|html|txt))$/i.exec(raw) ??
    [];
  return { raw, value: decodedText(core), before, after, depth, group };
}

/**
 * The branches that are values of a key, each with what proves it.
 *
 * @param above - what was sent to the place before them
 */
function keysAmong(
  branches: readonly Branch[],
  prefix: readonly TemplateSegment[],
  proofs: KeyProofs,
  above: readonly Observation[],
): Map<Branch, KeyProof | undefined> {
  const keys = new Map<Branch, KeyProof | undefined>();
  const thing = lastWord(prefix);
  const open = branches.filter(
    ({ value, raw }) => value !== '' && !isVersion(raw, literalBefore(prefix)) && !isSelfWord(value),
  );
  for (const branch of open) {
    const proof = proofOf(branch, proofs, thing);
    if (proof !== undefined || isKeyAlone(branch, thing)) keys.set(branch, proof);
  }
  const words = open.filter((branch) => !keys.has(branch) && branch.after === '');
  const alike = isPlural(thing) ? alikeBranches(words) : [];
  for (const branch of [...alike, ...selfNamedBranches(words), ...listedBranches(words, above)])
    keys.set(branch, undefined);
  for (const branch of keys.size > 0 ? words.filter(isRejectedKey) : []) keys.set(branch, keys.get(branch));
  return keys;
}

function proofOf({ group, depth, value }: Branch, proofs: KeyProofs, thing: string): KeyProof | undefined {
  for (const { segments } of group) {
    const proof = proofs.find(value, segments.slice(0, depth).map(decodedText), thing);
    if (proof !== undefined) return proof;
  }
  return undefined;
}

/** Is it a key by its look, or by what was done there? A brace would be read as a variable. */
function isKeyAlone(branch: Branch, thing: string): boolean {
  return looksLikeKey(branch.value) || /[{}]/.test(branch.value) || isPutThere(branch, thing);
}

/** Was something made at this very address (RFC 9110 §9.3.4)? */
function isPutThere({ group, depth }: Branch, thing: string): boolean {
  const isThere = (each: Observation): boolean =>
    each.method === 'PUT' && each.status === 201 && each.segments.length === depth + 1;
  return isPlural(thing) && group.some(isThere);
}

/** Is it a word that the service takes for a key of nothing, among keys of something? */
function isRejectedKey({ group }: Branch): boolean {
  return group.every(({ status }) => status === 400 || status === 404 || status === 410 || status === 422);
}

/**
 * Words that lead to the same: three that show objects with the same properties, or two with the same below them. What two
 * words alone show is as likely the same view of two things.
 */
function alikeBranches(words: readonly Branch[]): Branch[] {
  const shown = groupBy(
    words.filter((branch) => shownProperties(branch) !== ''),
    shownProperties,
  ).filter((alike) => alike.length > 2);
  const below = groupBy(
    words.filter((branch) => wordsBelow(branch) !== ''),
    wordsBelow,
  ).filter((alike) => alike.length > 1);
  return [...shown, ...below].flat();
}

/** Two words or more that objects at their ends show in one property: `{ countryCode: CL }` at `/country/CL`. */
function selfNamedBranches(words: readonly Branch[]): Branch[] {
  const named = words.map((branch) => ({ branch, names: new Set(ownNames(branch).flat().filter(isKeyWord)) }));
  const isShared = (name: string): boolean => named.filter(({ names }) => names.has(name)).length > 1;
  return named.filter(({ names }) => [...names].some(isShared)).map(({ branch }) => branch);
}

/** Words that the list at the place before them shows as what tells its items apart, and their own objects as well. */
function listedBranches(words: readonly Branch[], above: readonly Observation[]): Branch[] {
  const lists = above.flatMap((each) => {
    const body = isSuccess(each) && each.method === 'GET' ? jsonOf(each.response) : undefined;
    return Array.isArray(body) ? [body] : [];
  });
  return words.filter((branch) =>
    ownNames(branch)
      .flat()
      .some((name) => lists.some((items) => tellsApart(items, name, branch.value))),
  );
}

function tellsApart(items: readonly JsonValue[], name: string, value: string): boolean {
  const values = items.map((item) => (isJsonObject(item) ? item[name] : undefined));
  const texts = values.flatMap((held) => (typeof held === 'string' || isJsonNumber(held) ? [scalarText(held)] : []));
  return texts.length === items.length && new Set(texts).size === texts.length && texts.includes(value);
}

/** Names of the properties that the object at the end of a branch has; `''` where there is none. */
function shownProperties({ group, depth }: Branch): string {
  const shown = group.find(
    (each) => each.method === 'GET' && each.segments.length === depth + 1 && isSuccess(each) && each.status === 200,
  );
  const value = jsonOf(shown?.response);
  const names = isJsonObject(value) ? Object.keys(value).sort() : [];
  return names.length < 2 ? '' : JSON.stringify(names);
}

/** The words that stand directly below a branch, where the service knows them. */
function wordsBelow({ group, depth }: Branch): string {
  const words = group
    .filter(isAccepted)
    .flatMap(({ segments }) => segments[depth + 1] ?? [])
    .filter((word) => word !== '' && !looksLikeKey(word));
  return [...new Set(words)].sort().join('/');
}

function literalBefore(prefix: readonly TemplateSegment[]): string | undefined {
  const last = prefix.at(-1);
  return last?.kind === 'literal' ? last.text : undefined;
}

/** The last word before a place that names something. */
function lastWord(prefix: readonly TemplateSegment[]): string {
  const words = prefix.flatMap((each) => (each.kind === 'literal' && !isApiWord(each.text) ? [each.text] : []));
  return words.findLast((word) => word !== '') ?? '';
}

/** Words at the end of the name of a property that make it the name of a key by itself: `userId`, `order_number`. */
const KEY_WORDS = new Set('id,uuid,guid,arn,key,slug,code,number,name,login,username,handle,symbol,sku'.split(','));

/** `thingId`, `thingSlug`, `username`: by what the place before it is called, and the property that shows the value. */
function variableName(
  prefix: readonly TemplateSegment[],
  branches: Group<Branch>,
  property: string | undefined,
): string {
  const noun = singularWords(branches[0].before.replace(/\W+$/, '') || lastWord(prefix));
  const own = property === undefined ? ['id'] : wordsOf(property);
  const isNoun = own.join('') === noun.join('');
  const isWhole = own.join('').startsWith(noun.join('')) || (own.length > 1 && KEY_WORDS.has(own.at(-1) ?? ''));
  const words = isNoun ? [...noun, 'id'] : isWhole ? own : [...noun, ...own];
  const taken = new Set(prefix.flatMap((each) => (each.kind === 'variable' ? [each.name] : [])));
  return uniqueName(camelCase(words) || 'id', taken);
}

/** The property that objects at the ends of all branches show their value in. */
function shownProperty(branches: readonly Branch[], thing: string): string | undefined {
  const [first = [], ...others] = branches.flatMap(ownNames);
  const names = first.filter((name) => others.every((other) => other.includes(name)));
  return names.find((name) => isKeyName(name, thing)) ?? names.find(isKeyWord);
}

function isKeyWord(property: string): boolean {
  return KEY_WORDS.has(wordsOf(property).at(-1) ?? '');
}

/** For each object that was shown at the end of a branch, the names under which it has the branch's value. */
function ownNames({ group, depth, value }: Branch): string[][] {
  return group.flatMap((each) => {
    const body = isSuccess(each) && each.segments.length === depth + 1 ? jsonOf(each.response) : undefined;
    return isJsonObject(body) ? [namesOfValue(body, value)] : [];
  });
}

/** Names of the properties that have a value, in an object or in what it wraps. */
function namesOfValue(body: JsonObject, value: string): string[] {
  return [body, ...Object.values(body).filter(isJsonObject)].flatMap((object) =>
    Object.keys(object).filter((name) => isScalarText(object[name], value)),
  );
}

function isScalarText(held: JsonValue | undefined, text: string): boolean {
  return (typeof held === 'string' || isJsonNumber(held)) && scalarText(held) === text;
}

function decodedText(raw: string): string {
  return decodePathSegment(raw) ?? raw;
}

/**
 * How many segments at the beginning of all paths lead to the API and name nothing in it: up to the last that names a
 * version, or says that an API follows. None of them is empty or has a brace: a server URL would read a host or a variable.
 */
export function baseLength(paths: readonly (readonly string[])[]): number {
  const [first = []] = paths;
  let shared = 0;
  const isShared = (text: string): boolean =>
    /^[^{}]+$/.test(text) && paths.every((path) => path.length > shared + 1 && path[shared] === text);
  while (shared < first.length - 1 && isShared(first[shared] ?? '')) shared += 1;
  const common = first.slice(0, shared);
  return common.findLastIndex((text, index) => isApiWord(text) || isVersion(text, common[index - 1])) + 1;
}
