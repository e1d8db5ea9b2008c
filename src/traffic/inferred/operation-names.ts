import { singularWords, wordsOf } from '../../core/text/inflection';
import { partsOf } from './body-parts';
import { isApiWord, isPlural, isVersion } from './key-look';
import { camelCase, uniqueName } from './names';
import { jsonShape, type OperationDraft, subjectOf } from './operation-drafts';
import { isVariable, type TemplateSegment } from './path-templates';

/** Verbs with which a word behind a collection begins: `findByStatus`, `search`. */
const VERBS = new Set(
  'find,search,filter,query,lookup,list,count,export,import,download,upload,validate,check,sync,bulk,batch,get,add,create,update,delete,remove,send,run,start,stop,cancel,archive,restore,approve,reject,publish,merge,copy,move,reset,refresh,login,logout,register,verify,confirm,preview,subscribe,unsubscribe'.split(
    ',',
  ),
);

const OF_ITEM: Readonly<Record<string, string>> = {
  GET: 'get',
  HEAD: 'check',
  POST: 'post',
  PUT: 'replace',
  PATCH: 'update',
  DELETE: 'delete',
  OPTIONS: 'describe',
  TRACE: 'trace',
};

/** Ids of operations, each once: `listBooks`, `createBook`, `getBook`, `cancelLoan`, `findBooksByStatus`. */
export function operationIds(drafts: readonly OperationDraft[]): ReadonlyMap<OperationDraft, string> {
  const items = new Set(
    drafts.flatMap(({ path }) => {
      const { place, isItem } = subjectOf(path);
      return isItem ? [placeText(place)] : [];
    }),
  );
  const ids = new Map<OperationDraft, string>();
  const taken = new Set<string>();
  for (const draft of drafts) {
    const id = uniqueName(camelCase(wordsFor(draft, items)), taken);
    taken.add(id);
    ids.set(draft, id);
  }
  return ids;
}

/** What operations are grouped by: the first word of the path that is no version and not the word for the API itself. */
export function tagOf({ path }: OperationDraft): string | undefined {
  return namingWords(path.segments)[0];
}

function wordsFor(draft: OperationDraft, items: ReadonlySet<string>): string[] {
  const { path, method } = draft;
  const { place, isItem } = subjectOf(path);
  const words = namingWords(place);
  const last = words.at(-1) ?? 'root';
  // Each word is about one of what the word before it names.
  const parents = words.slice(0, -1).flatMap((word) => singularWords(word));
  const verb = OF_ITEM[method] ?? method.toLowerCase();
  if (isItem) return itemWords(draft, parents, last, verb);
  const action = actionWords(draft, words, items);
  if (action !== undefined) return action;
  const isCollection = items.has(placeText(place)) || isList(draft, last) || isPlural(last);
  if (method === 'GET' && isList(draft, last)) return ['list', ...parents, ...wordsOf(last)];
  if (method === 'POST' && isCollection) return ['create', ...parents, ...singularWords(last)];
  return [verb, ...parents, ...wordsOf(last)];
}

function itemWords(draft: OperationDraft, parents: readonly string[], last: string, verb: string): string[] {
  if (draft.method !== 'GET' || !isList(draft, last)) return [verb, ...parents, ...singularWords(last)];
  return ['list', ...parents, ...wordsOf(last), 'by', ...keyWords(draft.path)];
}

/** What a word says that is done to the item before it, or with the collection. */
function actionWords(
  draft: OperationDraft,
  words: readonly string[],
  items: ReadonlySet<string>,
): string[] | undefined {
  const { place } = subjectOf(draft.path);
  const last = words.at(-1) ?? '';
  const [verb = '', ...rest] = wordsOf(last);
  if (items.has(placeText(place)) || (isPlural(last) && !VERBS.has(verb))) return undefined;
  const before = place.at(-2);
  const isOfItem = before !== undefined && isVariable(before);
  const things = thingsOf(words.slice(0, -1), isOfItem);
  if (VERBS.has(verb)) return verbWords(draft.method, [verb, ...rest], things);
  if (draft.method !== 'POST' || !isOfItem) return undefined;
  const isUpload = draft.request.some(({ kind }) => kind === 'multipart' || kind === 'opaque');
  return isUpload ? ['upload', ...things, verb, ...rest] : [verb, ...rest, ...things];
}

/** `findBooksByStatus`, `searchBooks`. */
function verbWords(method: string, [verb = '', ...rest]: readonly string[], things: readonly string[]): string[] {
  const prefix = method === 'POST' || method === 'GET' ? [] : [OF_ITEM[method] ?? ''];
  const isChoice = rest[0] === 'by' || rest[0] === 'for';
  return [...prefix, verb, ...(isChoice ? [...things, ...rest] : [...rest, ...things])];
}

/** What the variable at the end of a path is called. */
function keyWords({ segments }: OperationDraft['path']): readonly string[] {
  const last = segments.findLast(isVariable);
  return last === undefined ? [] : wordsOf(last.name);
}

/** What is acted on: one thing, or all of them where no key stands before the word. */
function thingsOf(parents: readonly string[], isOfItem: boolean): string[] {
  const last = parents.length - 1;
  return parents.flatMap((word, index) => (index === last && !isOfItem ? wordsOf(word) : singularWords(word)));
}

function isList(draft: OperationDraft, thing: string): boolean {
  const bodies = [...draft.responses].flatMap(([status, all]) => (status < 300 ? all : []));
  const shape = jsonShape(bodies);
  if (shape === undefined) return false;
  return shape.arrays > 0 || partsOf(shape, thing)?.form === 'list';
}

/** The words of a path that name something. */
function namingWords(segments: readonly TemplateSegment[]): string[] {
  const texts = segments.map((each) =>
    isVariable(each) ? `${each.before} ${each.after.replace(/^\.\w+$/, '')}`.trim() : each.text,
  );
  return texts.filter(
    (text, index) => wordsOf(text).length > 0 && !isApiWord(text) && !isVersion(text, texts[index - 1]),
  );
}

function placeText(place: readonly TemplateSegment[]): string {
  return place.map((each) => (isVariable(each) ? '{}' : each.text)).join('/');
}
