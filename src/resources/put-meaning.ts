import type { Operation, Schema } from '../openapi/model';
import { requestSchema, successes, successSchema } from './bodies';
import { takenShape } from './body-shape';
import type { Inference, ResourceDraft } from './draft';
import { wordsOf } from './inflection';
import { lastLiteral } from './path-template';
import { putsThere } from './presence';
import { askedWhenTaken, type MeaningsOfTaken, type WhenTaken } from './when-taken';

/** Words of an operation that makes what is not there. */
const CREATES_TOO = /\bcreates? or (?:updates?|replaces?|overwrites?|sets?)\b|\bupserts?\b|\badds? or updates?\b/i;

/** Words of a PUT that leaves alone what it does not name. */
const PARTIAL =
  /\b(?:partial(?:ly)?|sparse)\b|\bonly (?:the )?(?:fields|properties|attributes|members|values|parameters)\b|\b(?:remain|left|leaves?|kept) (?:un\w+|as)/i;

/**
 * Does a PUT change an item rather than replace it? It says so, or it is said to update, nothing that it takes must be
 * there, and no PATCH does that.
 */
function isPartial(
  { index, reader }: Inference,
  operation: Operation,
  { itemTemplate, schema, template }: ResourceDraft,
): boolean {
  const onItem = index.nodes.get(itemTemplate?.shape ?? '')?.operations ?? [];
  if (onItem.some((each) => index.methodOf(each) === 'PATCH')) return false;
  if (PARTIAL.test(`${operation.summary} ${operation.description}`)) return true;
  const taken = takenShape(reader, requestSchema(operation), schema, lastLiteral(template.segments))?.item;
  return (
    taken !== undefined && isUpdate(operation) && [...reader.members(taken).values()].every((each) => !each.required)
  );
}

function isUpdate({ summary, description, id }: Operation): boolean {
  const isSaid = [summary, id].some((text) => /^(?:updat|edit|modif|chang)/i.test(text));
  return isSaid && !/\b(?:replac|overwrit)/i.test(`${summary} ${description}`);
}

/** What a PUT on the path of an item does. */
export function meaningOfPut(
  inference: Inference,
  operation: Operation,
  draft: ResourceDraft,
): { readonly behaviour: 'replace' | 'update' | 'upsert'; readonly text: string } {
  const why = reasonToCreate(inference, operation, draft);
  if (why !== undefined) return { behaviour: 'upsert', text: `${why}: it creates too` };
  return isPartial(inference, operation, draft)
    ? { behaviour: 'update', text: 'changes what is sent of one item' }
    : { behaviour: 'replace', text: 'replaces one item' };
}

/** Is a list of items said to be put beside what is there, and not in place of it all? */
export function addsToThose({ summary, id, description }: Operation): boolean {
  return CREATES_TOO.test(`${summary}. ${wordsOf(id).join(' ')}. ${description.split('.', 1)[0] ?? ''}`);
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
  if (putsThere(inference, operation)) return 'takes and answers nothing';
  if (CREATES_TOO.test(`${summary}. ${wordsOf(id).join(' ')}`)) return 'says so';
  const onCollection = index.nodes.get(template.shape)?.operations ?? [];
  const isMade = onCollection.some((each) => index.methodOf(each) === 'POST') || isMadeElsewhere(inference, schema);
  return isMade || responses.has('404') ? undefined : 'documents no 404, and nothing else makes items';
}

/** Does a POST of another place answer the very thing: `POST /me/lists` of `/lists/{id}`? */
function isMadeElsewhere({ api, reader }: Inference, { pointer }: Schema): boolean {
  const made = reader.once('schemas that a POST answers with 201', () => {
    const posts = api.operations.filter(({ method, responses }) => method === 'POST' && responses.has('201'));
    return new Set(posts.map((each) => reader.unwrap(successSchema(each))?.pointer));
  });
  return made.has(pointer);
}

/** Words of an operation that makes what is not there, and does that to what is. */
const WHEN_TAKEN: readonly (readonly [RegExp, WhenTaken])[] = [
  [/\b(?:or|and) (?:replaces?|overwrites?)\b|\b(?:replaces?|overwrites?) (?:it|them|the \w+) if\b/i, 'replace'],
  [/\b(?:or|and) (?:updates?)\b|\bupserts?\b|\bupdates? (?:it|them|the \w+) if\b/i, 'update'],
];

/** "If one with that key exists, it will be overwritten." */
const OVERWRITTEN = /\b(?:exists?|there)\b[^.]{0,40}\b(?:overwritten|replaced)\b/i;

/**
 * What a creation does to an item that has the key which the client chose: by its words, else by its method; `undefined`
 * where such a key is refused.
 */
function meaningOfTaken({ method, summary, description, id, responses }: Operation): WhenTaken | undefined {
  if (responses.has('409')) return undefined;
  if (OVERWRITTEN.test(description)) return 'replace';
  const [first = ''] = description.split(/\.\s/);
  const said = [summary, wordsOf(id).join(' '), first];
  for (const text of said) {
    const found = WHEN_TAKEN.find(([words]) => words.test(text));
    if (found !== undefined) return found[1];
  }
  if (method === 'PUT') return 'replace';
  return method === 'PATCH' ? 'update' : undefined;
}

/** Of what makes nothing. */
export const NEVER_TAKEN: MeaningsOfTaken = { whenTaken: undefined, askedWhenTaken: undefined };

/** What a creation does to an item that has the key already, by itself and where a request asks for it. */
export function meaningsOfTaken(operation: Operation): MeaningsOfTaken {
  return { whenTaken: meaningOfTaken(operation), askedWhenTaken: askedWhenTaken(operation) };
}
