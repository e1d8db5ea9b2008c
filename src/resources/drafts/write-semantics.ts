import { wordsOf } from '../../core/text/inflection';
import type { Operation, Property, Schema } from '../../openapi/model/operation';
import { isKeyName } from '../../openapi/naming/property-names';
import { successes, successSchema } from '../../openapi/view/operation-bodies';
import { lastLiteral, type PathTemplate, variablesOf } from '../../openapi/view/path-template';
import { isScalar, type SchemaView, typesOf } from '../../openapi/view/schema-view';
import type { CreationSemantics, ExistingItemHandling, ExistingItemPolicy, RequestedHandling } from '../model/binding';
import type { ResourceDescription } from '../model/resource';
import type { Inference, OperationUse, ResourceDraft } from './draft';

/** Does a GET answer nothing but that something is there: 204 and no body, else 404? */
export function isExistenceCheck({ index }: Inference, operation: Operation): boolean {
  const responses = successes(operation);
  return (
    index.methodOf(operation) === 'GET' &&
    responses.some(({ status }) => status === '204') &&
    responses.every(({ content }) => content.length === 0)
  );
}

/** Is an operation such a GET of an item that another one puts there, or takes away? */
export function checksItemExistence(
  inference: Inference,
  operation: Operation,
  { itemTemplate }: ResourceDraft,
): boolean {
  const { index } = inference;
  const onItem = index.nodes.get(itemTemplate?.shape ?? '')?.operations ?? [];
  return (
    isExistenceCheck(inference, operation) && onItem.some((each) => ['PUT', 'DELETE'].includes(index.methodOf(each)))
  );
}

/** What changes an item that is there, beside an operation at its path. */
export function changesBeside({ index }: Pick<Inference, 'index'>, operation: Operation): readonly Operation[] {
  const beside = index.nodes.get(index.templateOf(operation)?.shape ?? '')?.operations ?? [];
  return beside.filter((each) => each !== operation && /^(?:PUT|PATCH)$/.test(index.methodOf(each)));
}

/** Words that put one thing to another, or take it away again: "Add a contact to a segment", "Remove a contact from a segment". */
const RELATES =
  /^(?:add|attach|assign|link|join|associat|connect|bind|put|includ|enrol|subscrib|grant|relat)\w*\b[^.]*\b(?:to|with|in|into)\b/i;
const PARTS =
  /^(?:remov|delet|detach|unassign|unlink|disassociat|disconnect|unbind|revok|unsubscrib)\w*\b[^.]*\bfrom\b/i;

/**
 * Is all that an operation can do to put there what its path names? It takes nothing, and is a PUT that answers nothing,
 * or the one way to put there what a DELETE takes away, or a PUT or POST that is said to put one thing to another: by its
 * own words, or by those of a DELETE beside it.
 */
export function putsByPath(inference: Inference, operation: Operation): boolean {
  const method = inference.index.methodOf(operation);
  if (operation.requestBody !== undefined || !(method === 'PUT' || method === 'POST')) return false;
  const answersNothing = successes(operation).every(({ content }) => content.length === 0);
  const isPut = method === 'PUT' && (answersNothing || isOnlyWay(inference.index, operation));
  return isPut || isSaidToRelate(inference, operation);
}

/** Is a PUT below another thing the one way to put there what a DELETE takes away? */
function isOnlyWay(index: Inference['index'], operation: Operation): boolean {
  const shape = index.templateOf(operation)?.shape ?? '';
  const isBelowOther = /\{\}\/[^{}]+\/\{\}$/.test(shape);
  return isBelowOther && methodsAt(index, shape).includes('DELETE') && !hasOwnLife(index, shape);
}

function methodsAt(index: Inference['index'], shape: string): string[] {
  return (index.nodes.get(shape)?.operations ?? []).map((each) => index.methodOf(each));
}

/** Is an item read or changed at its path, or made by a POST above it? */
function hasOwnLife(index: Inference['index'], shape: string): boolean {
  const isSeen = methodsAt(index, shape).some((method) => method === 'GET' || method === 'PATCH');
  return isSeen || methodsAt(index, shape.replace(/\/\{\}$/, '')).includes('POST');
}

function isSaidToRelate({ index }: Inference, operation: Operation): boolean {
  const template = index.templateOf(operation);
  if (template === undefined || !/\}.*\/[^{}]+\/\{[^{}]*\}$/.test(template.path)) return false;
  const beside = index.nodes.get(template.shape)?.operations ?? [];
  const removal = beside.find((each) => index.methodOf(each) === 'DELETE');
  if (says(operation, RELATES) || (removal !== undefined && says(removal, PARTS))) return true;
  const isSilent = operation.summary === '' && operation.description === '';
  return isSilent && removal !== undefined && isReadAtRoot(index, template);
}

/** Is what a path names only read at the root, where nothing is made or read below the other thing? */
function isReadAtRoot(index: Inference['index'], { shape, segments }: PathTemplate): boolean {
  const end = `/${lastLiteral(segments)}/{}`;
  const root = [...index.nodes.keys()].find((each) => each.endsWith(end) && each.split('{}').length === 2);
  return !hasOwnLife(index, shape) && root !== undefined && methodsAt(index, root).includes('GET');
}

function says({ summary, id, description }: Operation, words: RegExp): boolean {
  return [summary, wordsOf(id).join(' '), description].some((text) => words.test(text));
}

/** Words for what is to become of such an item, as values or names of parameters. */
const HANDLING_WORDS: ReadonlyMap<string, ExistingItemHandling> = new Map([
  ['upsert', 'update'],
  ['merge', 'update'],
  ['emplace', 'update'],
  ['update', 'update'],
  ['replace', 'replace'],
  ['overwrite', 'replace'],
]);

/** The parameter of a creation by which a request says that: `action=upsert` among others, or `overwrite=true`. */
function requestedHandling({ parameters }: Operation): RequestedHandling | undefined {
  for (const { name, in: place, schema } of parameters) {
    if (place !== 'query' || schema === undefined) continue;
    const flag = typesOf(schema.value).includes('boolean') ? HANDLING_WORDS.get(wordsOf(name)[0] ?? '') : undefined;
    if (flag !== undefined && wordsOf(name).length === 1) return { parameter: name, values: new Map([['true', flag]]) };
    const listed = Array.isArray(schema.value['enum']) ? schema.value['enum'] : [];
    const values = new Map(
      listed.flatMap((word): [string, ExistingItemHandling][] => {
        const meant = typeof word === 'string' ? HANDLING_WORDS.get(word.toLowerCase()) : undefined;
        return typeof word === 'string' && meant !== undefined ? [[word, meant]] : [];
      }),
    );
    // One word alone may mean anything: `update` is the name of an event as well.
    if (values.has('upsert') || (values.size > 0 && listed.includes('create'))) return { parameter: name, values };
  }
  return undefined;
}

/** Words of an operation that makes what is not there. */
const CREATES_TOO = /\bcreates? or (?:updates?|replaces?|overwrites?|sets?)\b|\bupserts?\b|\badds? or updates?\b/i;

/** Words of a PUT that leaves alone what it does not name. */
const PARTIAL =
  /\b(?:partial(?:ly)?|sparse)\b|\bonly (?:the )?(?:fields|properties|attributes|members|values|parameters)\b|\b(?:remain|left|leaves?|kept) (?:un\w+|as)/i;

/** Words of a PUT that leaves nothing of what was there. */
const REPLACES = /\b(?:replac|overwrit)/i;

/** What a PUT is judged by. */
interface PutBodies {
  /** What is sent of an item; `undefined` where nothing is known of it. */
  readonly taken: Schema | undefined;
  readonly item: Schema;
  readonly itemTemplate: string | undefined;
}

/**
 * Does a PUT change what it names and leave the rest? `said`: its words say so, or it is said to update, requires nothing,
 * and no PATCH does that. `assumed`: nothing makes plain that it replaces, neither its words nor a body that requires all
 * that an item needs; a client that sends two properties must not lose the others. `undefined` where it replaces.
 */
export function mergesBody(
  { index, view }: Inference,
  operation: Operation,
  { taken, item, itemTemplate }: PutBodies,
): 'said' | 'assumed' | undefined {
  const { summary, description, id } = operation;
  const onItem = index.nodes.get(itemTemplate ?? '')?.operations ?? [];
  if (onItem.some((each) => index.methodOf(each) === 'PATCH')) return undefined;
  if (PARTIAL.test(`${summary} ${description}`)) return 'said';
  if (REPLACES.test(`${summary} ${description} ${wordsOf(id).join(' ')}`)) return undefined;
  if (operation.requestBody === undefined) return 'assumed';
  return taken === undefined ? undefined : mergesByBody(operation, [...view.properties(taken).values()], item, view);
}

function mergesByBody(
  operation: Operation,
  sent: readonly Property[],
  item: Schema,
  view: SchemaView,
): ReturnType<typeof mergesBody> {
  if (sent.length === 0 || requiresWhole(sent, item, view)) return undefined;
  return isUpdate(operation) && sent.every(({ required }) => !required) ? 'said' : 'assumed';
}

/** Does a body require all that an item needs and the body can say, and something that tells of the item? */
function requiresWhole(sent: readonly Property[], item: Schema, view: SchemaView): boolean {
  const needed = [...view.properties(item).values()].filter(({ required, readOnly }) => required && !readOnly);
  const isOptional = ({ name, required }: Property): boolean => !required && needed.some((each) => each.name === name);
  return !sent.some(isOptional) && sent.some((each) => each.required && tellsOfItem(each, item));
}

function isUpdate({ summary, id }: Operation): boolean {
  return [summary, id].some((text) => /^(?:updat|edit|modif|chang)/i.test(text));
}

/** Is it more than what says which item is meant, and of what type it is? */
function tellsOfItem({ name, schema }: Property, { pointer }: Schema): boolean {
  const isLiteral = schema['const'] !== undefined || (Array.isArray(schema['enum']) && schema['enum'].length === 1);
  return (
    !isLiteral &&
    !/^(?:type|kind|object|resource_?type|version|etag|revision)$/i.test(name) &&
    !isKeyName(name, lastName(pointer))
  );
}

function lastName(pointer: string): string {
  return pointer.split('/').at(-1) ?? '';
}

/** What a PUT on the path of an item does. */
export function putSemantics(
  inference: Inference,
  operation: Operation,
  draft: ResourceDraft,
): { readonly behaviour: 'replace' | 'upsert'; readonly text: string } {
  const why = reasonToCreate(inference, operation, draft);
  if (why !== undefined) return { behaviour: 'upsert', text: `${why}: it creates too` };
  return { behaviour: 'replace', text: 'replaces one item' };
}

/** Is a list of items said to be put beside what is there, and not in place of it all? */
export function upsertsList({ summary, id, description }: Operation): boolean {
  return CREATES_TOO.test(`${summary}. ${wordsOf(id).join(' ')}. ${description.split('.', 1)[0] ?? ''}`);
}

/** Do the status or the first word of an operation say that it creates? */
export function saysCreation(operation: Operation): boolean {
  const texts = [operation.summary, wordsOf(operation.id).join(' '), operation.description];
  const isSaid = texts.some((text) => /^(?:creat|add|register|insert)(?:e|s|es|ing)?\b/i.test(text));
  return isSaid || successes(operation).some(({ status }) => status === '201');
}

/** Why a PUT makes an item under the key of its path where there is none (RFC 9110 §9.3.4); `undefined` where it does not. */
function reasonToCreate(
  inference: Inference,
  operation: Operation,
  { schema, template }: ResourceDraft,
): string | undefined {
  const { index } = inference;
  const { summary, id, responses } = operation;
  if (successes(operation).some(({ status }) => status === '201')) return 'documents 201';
  if (putsByPath(inference, operation)) return 'takes nothing but what its path names';
  if (CREATES_TOO.test(`${summary}. ${wordsOf(id).join(' ')}`)) return 'says so';
  const onCollection = index.nodes.get(template.shape)?.operations ?? [];
  const isMade = onCollection.some((each) => index.methodOf(each) === 'POST') || isCreatedElsewhere(inference, schema);
  return isMade || responses.has('404') ? undefined : 'documents no 404, and nothing else makes items';
}

/** Does a POST of another place answer the very thing: `POST /me/lists` of `/lists/{id}`? */
function isCreatedElsewhere({ api, view }: Inference, { pointer }: Schema): boolean {
  const made = view.memoize('schemas that a POST returns with 201', () => {
    const posts = api.operations.filter(({ method, responses }) => method === 'POST' && responses.has('201'));
    return new Set(posts.map((each) => view.unwrap(successSchema(each))?.pointer));
  });
  return made.has(pointer);
}

/** Words of an operation that makes what is not there, and does that to what is. */
const HANDLING_PHRASES: readonly (readonly [RegExp, ExistingItemHandling])[] = [
  [/\b(?:or|and) (?:replaces?|overwrites?)\b|\b(?:replaces?|overwrites?) (?:it|them|the \w+) if\b/i, 'replace'],
  [/\b(?:or|and) (?:updates?)\b|\bupserts?\b|\bupdates? (?:it|them|the \w+) if\b/i, 'update'],
];

/** What an answer says of what was sent: "Customer created or updated". */
const ANSWERED_PHRASES: typeof HANDLING_PHRASES = [
  [/\bcreated(?: (?:or|and) |\s*\/\s*)(?:replaced|overwritten)\b/i, 'replace'],
  [/\bcreated(?: (?:or|and) |\s*\/\s*)updated\b|\bupserted\b/i, 'update'],
];

/** "If one with that key exists, it will be overwritten." */
const OVERWRITTEN = /\b(?:exists?|there)\b[^.]{0,40}\b(?:overwritten|replaced)\b/i;

/**
 * What a creation does to an item that has the key which the client chose: by its words, else by its method; `undefined`
 * where such a key is rejected.
 */
export function handlingOfExisting(operation: Operation): ExistingItemHandling | undefined {
  const { method, summary, description, id, responses } = operation;
  if (responses.has('409')) return undefined;
  if (OVERWRITTEN.test(description)) return 'replace';
  const [first = ''] = description.split(/\.\s/);
  const said = [summary, wordsOf(id).join(' '), first];
  const answered = successes(operation).map((response) => response.description);
  const found = handlingIn(said, HANDLING_PHRASES) ?? handlingIn(answered, ANSWERED_PHRASES);
  if (found !== undefined) return found;
  if (method === 'PUT') return 'replace';
  return method === 'PATCH' ? 'update' : undefined;
}

/** What the first text says that says anything of it. */
function handlingIn(texts: readonly string[], phrases: typeof HANDLING_PHRASES): ExistingItemHandling | undefined {
  const found = texts.map((text) => phrases.find(([words]) => words.test(text))).find((each) => each !== undefined);
  return found?.[1];
}

/** Of what makes nothing. */
const CREATES_NOTHING: ExistingItemPolicy = { onExisting: undefined, requestedOnExisting: undefined };

/** What a creation does to an item that has the key already, by itself and where a request asks for it. */
function existingItemPolicy(operation: Operation): ExistingItemPolicy {
  return { onExisting: handlingOfExisting(operation), requestedOnExisting: requestedHandling(operation) };
}

/** Sentences that say by what an item is known that is there already. */
const IDENTIFYING_PHRASE = /\b(?:look(?:ed|s)? up|find|found|match\w*|identif\w*|exist\w*|unique\w*)\b/i;

type CreatedResource = Pick<
  ResourceDescription,
  'path' | 'properties' | 'attributes' | 'key' | 'scope' | 'name' | 'itemsOf'
>;

const CREATES_NEW: CreationSemantics = { ...CREATES_NOTHING, foundBy: [], linkedBy: undefined };

/** Does a POST that makes an item under the key of its path leave it to another operation to change one that is there? */
function onlyCreates(inference: Inference, { operation, behaviour }: OperationUse): boolean {
  const isPost = behaviour === 'upsert' && inference.index.methodOf(operation) === 'POST';
  if (!isPost || putsByPath(inference, operation) || handlingOfExisting(operation) !== undefined) return false;
  return operation.responses.has('409') || changesBeside(inference, operation).length > 0;
}

/** What a creation does to an item that is there already, and how it finds that. */
export function creationSemantics(
  inference: Inference,
  use: OperationUse,
  resource: CreatedResource,
): CreationSemantics {
  const { view } = inference;
  if (onlyCreates(inference, use)) return { ...CREATES_NEW, onlyCreates: true };
  if (use.behaviour !== 'create' && use.behaviour !== 'create-many') return CREATES_NEW;
  const linkedBy = linkKey(use, resource, view);
  if (linkedBy !== undefined) return { ...CREATES_NEW, linkedBy };
  const taken = existingItemPolicy(use.operation);
  const told = taken.onExisting && foundBy(use, resource, view);
  const names = told === undefined ? identitiesIn(use, resource, view) : [told];
  return { ...taken, foundBy: taken.onExisting === undefined ? [] : names, linkedBy };
}

/**
 * Where a creation replaces or updates as well, the property by which it finds the item that is there, if that is not the key:
 * one that its words name where they speak of that, and that is sent and kept.
 */
function foundBy(
  { operation: { description }, request }: OperationUse,
  { properties, key }: CreatedResource,
  view: SchemaView,
): string | undefined {
  const sent = request?.item === undefined ? [] : [...view.properties(request.item).values()];
  const names = new Set(sent.flatMap((each) => (isScalar(each) && properties.has(each.name) ? [each.name] : [])));
  const told = description
    .split(/(?<=[.!?])\s+|\n/)
    .filter((sentence) => IDENTIFYING_PHRASE.test(sentence))
    .flatMap((sentence) => sentence.match(/[A-Za-z_]\w*/g) ?? [])
    // A word of prose is no name: only one that is quoted, or written as names are.
    .find((word) => names.has(word) && (/[_A-Z]/.test(word) || isQuoted(description, word)));
  return told === key.name ? undefined : told;
}

/** Names of what is one thing's alone, whatever else it has. */
const IDENTITIES =
  /^(?:(?:primary)?email(?:address)?|(?:phone|mobile)(?:number)?|external(?:id|key|ref(?:erence)?)|username|login|slug|sku)$/;

/** The same where something is made or changed at a path of its own, `POST /people-import`: what no two things have. */
function identitiesIn(
  { template, request }: OperationUse,
  { path, properties, attributes }: CreatedResource,
  view: SchemaView,
): string[] {
  if (template.path === path || variablesOf(template.segments).length > 0 || request?.item === undefined) return [];
  const part = attributes.size > 0 ? 'attributes' : undefined;
  const sent = part === undefined ? request.item : view.along(request.item, [part]);
  const kept = part === undefined ? properties : attributes;
  const names = sent === undefined ? [] : [...view.properties(sent).keys()];
  return names
    .filter((name) => kept.has(name) && IDENTITIES.test(wordsOf(name).join('')))
    .map((name) => (part === undefined ? name : `/${part}/${name}`));
}

/**
 * `POST /people/{person}/tags { id }` of what is stored as `/tags`: all that is sent of the item is its key, so that it puts there
 * one that is stored already. The property that holds the key.
 */
function linkKey(
  { template, depth, request, behaviour }: OperationUse,
  { properties, key, scope, name, itemsOf }: CreatedResource,
  view: SchemaView,
): string | undefined {
  const isBelow = itemsOf !== undefined || variablesOf(template.segments.slice(0, depth)).length > scope.length;
  const item = behaviour === 'create' && isBelow ? request?.item : undefined;
  const sent = item === undefined ? [] : [...view.properties(item).values()];
  const own = sent.find((each) => each.name === key.name) ?? sent.find((each) => isKeyName(each.name, name));
  const isAlone = sent.every((each) => each === own || !properties.has(each.name));
  return own !== undefined && isScalar(own) && isAlone && sent.length <= 3 ? own.name : undefined;
}

function isQuoted(text: string, word: string): boolean {
  return ['`', '"', "'"].some((quote) => text.includes(`${quote}${word}${quote}`));
}
