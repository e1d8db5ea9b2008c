import { isJsonObject, type JsonObject, type JsonValue } from '../core/json/json-value';
import { foldedName, wordsOf, namesInWords } from '../core/text/inflection';
import type { ApiModel } from '../openapi/model/api-model';
import { samplerOf } from '../payload/sampler/sampler';
import type { SchemaNode } from '../payload/sampler/schema-node';
import { sensitiveProperties } from '../redaction/body-redaction';
import { inWords, withArticle } from '../traffic/contract/names';
import { descriptionsOf } from './bodies';
import { catalogueOf } from './catalogues';
import type { Complaint } from './complaints';
import { remediesOf, saysRequired } from './constraint-words';
import { type Lesson, nodeAlong } from './lessons';
import { ABSENT, asForm, DISTINCT, exactly, like, PRESENT, type Remedy } from './remedy';
import { findSubjects, leavesSomething, requestOf, type Subject } from './subject';
import { formsNamedIn } from './text-forms';

/** For whom a complaint is read. */
interface About {
  readonly api: ApiModel;
  readonly subject: Subject;
  /** Things of the kind that were there. */
  readonly seen: readonly JsonObject[];
  readonly status: number;
}

/** More ways to put one thing right are not tried. */
const MOST_WAYS = 6;

/** What to do about a complaint, the likeliest first: by its words, by those of the description, by what is there. */
export function lessonsFor(about: About, complaint: Complaint & { readonly path: readonly string[] }): Lesson[] {
  const { path, text, allowed } = complaint;
  const node = nodeIn(about, path);
  const byWords = remediesOf(text, allowed);
  // What stays may not name what others made, such as the one of an example.
  const isOthers = about.subject.leaves !== undefined && NOBODYS.test(text);
  const remedies = [
    ...byWords,
    ...(about.status === 409 && byWords.length === 0 ? [DISTINCT] : []),
    ...(isOthers ? [] : [...byDescription(about, path, node), ...bySeen(about, path)]),
    ...formsNamedIn(wordsOf(path.at(-1) ?? '').join(' ')).map(asForm),
  ];
  const lessons = distinctWords(remedies).map((remedy) => ({ ...remedy, path }));
  const references = saysMissing(text) ? referencesFor(about, path, text) : [];
  // What has to be a thing of another kind is no text of any form.
  const first = [...references, ...lessons].slice(0, MOST_WAYS);
  return [...first, ...(saysRequired(text) ? [] : leavingOut(about, path)), { ...PRESENT, path }];
}

function distinctWords(remedies: readonly Remedy[]): Remedy[] {
  return remedies.filter(({ words }, index) => remedies.findIndex((each) => each.words === words) === index);
}

function nodeIn({ api, subject }: About, path: readonly string[]): SchemaNode | undefined {
  const schema = requestOf(subject.create);
  const root = subject.create.request?.path ?? [];
  return schema && nodeAlong(samplerOf(api).nodeOf(schema, 'request'), [...root, ...path]);
}

/** What the description shows of a property, in its words, its examples and what responses may have there. */
function byDescription(
  { api, subject: { resource } }: About,
  path: readonly string[],
  node: SchemaNode | undefined,
): Remedy[] {
  const shown = nodeAlong(samplerOf(api).nodeOf(resource.schema, 'response'), path);
  const texts = [node, shown].flatMap(descriptionsOf);
  const values = [node, shown].flatMap((each) => [...(each?.examples ?? []), ...(each?.values ?? [])]);
  const quoted = texts.flatMap((text) =>
    [...text.matchAll(/["'`“‘]([^\s"'`“”‘’]{1,60})["'`”’]/g)].map(([, word = '']) => word),
  );
  return [
    ...values.slice(0, MOST_WAYS).map((value) => (typeof value === 'string' ? like(value) : exactly(value))),
    ...quoted.slice(0, 3).map(like),
    ...texts.flatMap((text) => remediesOf(text).filter((remedy) => remedy !== PRESENT && remedy !== ABSENT)),
  ];
}

/** A word that several things of others have there: what one alone has may be what tells it from all others. */
function bySeen({ api, subject, seen }: About, path: readonly string[]): Remedy[] {
  const values = seen.map((item) =>
    path.reduce<JsonValue | undefined>(
      (at, name) => (isJsonObject(at) && Object.hasOwn(at, name) ? at[name] : undefined),
      item,
    ),
  );
  const secrets = sensitiveProperties(api, subject.create.operation);
  const isPrivate = path.some((name) => PERSONAL.test(name) || secrets.has(name));
  const words = values.filter(
    (value): value is string | number =>
      typeof value === 'number' || (typeof value === 'string' && /^[\w.+-]{1,40}$/.test(value)),
  );
  const shared = words.filter((word, index) => words.indexOf(word) !== index);
  // What stays may not name what others made.
  return isPrivate || subject.leaves !== undefined ? [] : [...new Set(shared)].slice(0, 2).map(exactly);
}

/** What names or reaches somebody or something. */
const PERSONAL = /name|title|label|mail|phone|url|uri|host|address|token|secret|password|key$/i;

const NOBODYS = /not found|not exist|unknown|no such|not known|existing/i;

/** Does a message say that something is not there? */
function saysMissing(text: string): boolean {
  return /not found|not exist|unknown|no such|invalid|must (?:be|refer)|existing|refer|requir|missing|not present/i.test(
    text,
  );
}

/**
 * The kinds of things whose key a property may have: the one that it is named after, else the one that its refusal names,
 * else the one that its description names.
 */
export function referencesFor(about: About, path: readonly string[], refusal = ''): Lesson[] {
  const { api, subject } = about;
  const name = path.at(-1) ?? '';
  if (subject.resource.references.some(({ property }) => property === path[0])) return [];
  const node = nodeIn(about, path);
  if (node?.values !== undefined || node?.types.some((type) => type === 'boolean' || type === 'object')) return [];
  const noun = foldedName(name.replace(/(?:[_-]?(?:ids?|refs?|keys?|uuid|slug)|I[dD]s?|Refs?|Keys?|Slug)$/, ''));
  const said = new Set(descriptionsOf(node).flatMap(wordsOf).map(foldedName));
  // What is below something else is named by its own key alone where both are below the same.
  const own = new Set(subject.resource.scope.map(({ name: variable, parent }) => `${variable} ${parent ?? ''}`));
  const others = findSubjects(api, leavesSomething(subject)).filter(
    ({ resource, comesWith }) =>
      resource !== subject.resource &&
      comesWith === undefined &&
      resource.scope.every(({ name: variable, parent }) => own.has(`${variable} ${parent ?? ''}`)),
  );
  const nouns = ({ resource }: Subject): string => foldedName(resource.name);
  const named = others.filter((each) => noun !== '' && nouns(each) === noun);
  // A text that names several kinds says nothing certain.
  const told = others.filter((each) => namesInWords(refusal).has(nouns(each)));
  const described = others.filter((each) => said.has(nouns(each)));
  const targets = named.length > 0 ? named.slice(0, 1) : ([told, described].find(({ length }) => length === 1) ?? []);
  const lessons = targets.map(({ resource }) => {
    const words = `is the key of ${withArticle(inWords(resource.name))}`;
    return { path, refersTo: resource.path, words, change: PRESENT.change };
  });
  const entry = lessons.length === 0 ? catalogueOf(api, subject, path) : undefined;
  return entry === undefined
    ? lessons
    : [{ path, refersTo: entry.to, words: `is one that GET ${entry.to} lists`, change: PRESENT.change }];
}

/** What may be left out is, or the nearest thing around it that may be. */
function leavingOut(about: About, path: readonly string[]): Lesson[] {
  for (let length = path.length; length > 0; length--) {
    const own = path.slice(0, length);
    const parent = nodeIn(about, own.slice(0, -1));
    const item = parent?.types.includes('array') === true ? parent.itemNode(0) : parent;
    const property = item?.properties.find(({ name }) => name === own.at(-1));
    if (property?.isRequired !== true) return [{ ...ABSENT, path: own }];
  }
  return [];
}
