import { type JsonValue, isJsonObject, valueAlong } from '../../core/json/json-value';
import { foldedName, namesInWords, participles, singular, wordsOf } from '../../core/text/inflection';
import type { Operation, Property } from '../../openapi/model/operation';
import { documentedInitialState, initialStatesAmong, isStateName, stateWordsOf } from '../../openapi/naming/states';
import { examplesIn } from '../../openapi/view/parameter-examples';
import { type SchemaView, typesOf } from '../../openapi/view/schema-view';
import type { Binding, ClosedStates, ReferrerRule, SaidRules, UniqueProperties } from '../model/binding';
import type { PropertyReference, ResourceDescription } from '../model/resource';
import { KEY_ENDINGS } from './references';
import { amountsOfAction, amountsOfCreation } from './said-amounts';

export const NOTHING_SAID: SaidRules = {
  needs: new Map(),
  unique: undefined,
  referrers: [],
  closed: undefined,
  amounts: [],
};

/** Words for what is not there. */
const MISSING =
  /\b(?:not exist|(?:doesn|don)['’]?t exist|no longer exists?|non-?existent|unknown|no such|not (?:be )?found|not known)\b/i;
const HEDGED = /\b(?:unless|except|may|might|optional|ignored)\b/i;

/** The same bindings with what their words say: of creations and changes, then of the removals of what those refer to. */
export function withSaidRules(view: SchemaView, bindings: readonly Binding[]): Binding[] {
  const writes = bindings.map((each) => {
    const closed = closedStates(view, each, bindings);
    const amounts = each.behaviour === 'create' ? amountsOfCreation(view, each, bindings) : [];
    return { ...each, said: { ...NOTHING_SAID, ...saidOfWrite(view, each), closed, amounts } };
  });
  return writes.map((each) => {
    const referrers = each.behaviour === 'remove' ? referrerRules(view, each, writes) : [];
    return {
      ...each,
      said: { ...each.said, referrers, amounts: [...each.said.amounts, ...amountsOfAction(each, writes)] },
    };
  });
}

function saidOfWrite(view: SchemaView, binding: Binding): Partial<SaidRules> {
  const { request, resource, operation } = binding;
  if (request?.item === undefined) return {};
  const properties = view.properties(request.item);
  const needed = resource.references.filter(
    (each) => each.form.startsWith('key') && saysMissing(operation, nounsOf(resource, each)),
  );
  const needs = needed.map(({ property }): [string, JsonValue[]] => [
    property,
    [...examplesIn(properties.get(property)?.schema ?? {}), ...bodyExamples(binding, property)],
  ]);
  return { needs: new Map(needs), unique: uniqueIn(binding, properties) };
}

/** What an operation may call what a property refers to. What its own path names is not meant by its noun. */
function nounsOf({ path, scope }: ResourceDescription, { property, to }: PropertyReference): string[] {
  const words = wordsOf(property);
  const isKey = words.length > 1 && KEY_ENDINGS.has(singular(words.at(-1) ?? ''));
  const isAround = to === path || scope.some(({ parent }) => parent === to);
  return [property, ...(isKey ? [words.slice(0, -1).join(' ')] : []), ...(isAround ? [] : [lastOf(to)])].map(
    foldedName,
  );
}

function lastOf(path: string): string {
  return path.split('/').at(-1) ?? '';
}

function bodyExamples({ operation: { requestBody }, request }: Binding, property: string): JsonValue[] {
  const examples = (requestBody?.content ?? []).flatMap((each) => each.examples);
  return examples.flatMap(({ value }) => {
    const item = valueAlong(value, request?.path ?? []);
    return isJsonObject(item) ? (item[property] ?? []) : [];
  });
}

/** Says an operation that it refuses what names something that is not there: "422 when the vehicle does not exist"? */
export function saysMissing(operation: Operation, nouns: readonly string[]): boolean {
  return refusalsSaid(operation, ['400', '404', '409', '422'], /[.;]/).some((each) => {
    const names = namesInWords(each);
    const isNamed = nouns.some((noun) => names.has(noun)) || /\breference/i.test(each);
    return isNamed && MISSING.test(each) && !HEDGED.test(each);
  });
}

function textOf({ summary, description }: Operation): string {
  return `${summary}. ${description}`.replaceAll(/\s+/g, ' ');
}

/** What is said of refusals: in clauses that name a documented status, and at the responses. */
function refusalsSaid(operation: Operation, statuses: readonly string[], end: RegExp): string[] {
  const documented = statuses.filter((status) => operation.responses.has(status));
  const own = textOf(operation).split(end);
  return [
    ...own.filter((each) => documented.some((status) => new RegExp(`\\b${status}\\b`).test(each))),
    ...documented.flatMap((status) => operation.responses.get(status)?.description.split(end) ?? []),
  ];
}

/** Says a text that there may be no two of something? */
const UNIQUE_WORDS =
  /\balready\b|\bthere (?:is|are)\b.*\b(?:with|another)\b|\bmay be (?:only|but) one\b|\btaken\b|\bunique\b|\bin use\b|\bduplicat|\btwice\b|\b(?:occurs?|exists?) (?:only )?once\b|\bsame\b|\b(?:an)?other\b[^,]*\b(?:has|have|uses?|bears?)\b/i;

const ANY_CASE = /\bcase (?:does not|doesn['’]t) (?:count|matter)\b|\bcase[- ]insensitiv|\b(?:whatever|any) case\b/i;

const SENTENCE = /\.(?=\s|$)/;

/** What a property says of itself where there may be no two of it: "must be unique", "the unique identifier of the tour". */
const ONLY_ONE = /\bmust be (?:globally )?unique\b|\bunique (?:across|among) (?:all|every)\b/i;
const IDENTIFIES = /\bunique (?:identifier|code|name) (?:of|for) (?:the|this|an?) (\w+)(?! \w)/i;

/**
 * What no two items have: texts of which an operation that documents 409 says so, with all else that its sentences name; else
 * the first text that says so of itself, where the operation refuses anything.
 */
function uniqueIn(binding: Binding, properties: ReadonlyMap<string, Property>): UniqueProperties | undefined {
  const { operation, resource } = binding;
  const references = new Map(resource.references.map((each) => [each.property, nounsOf(resource, each)]));
  const isText = ({ name, schema }: Property): boolean =>
    typesOf(schema).includes('string') && schema['enum'] === undefined && !references.has(name) && !isStateName(name);
  const others = [...properties.values()].filter(({ name }) => name !== resource.key.name);
  const told = uniqueBySentences(operation, others, references);
  if (told?.names.some((name) => others.some((each) => each.name === name && isText(each))) === true) return told;
  const thing = singular(lastOf(resource.path));
  const only = others.find((each) => isText(each) && saysUnique(each, thing));
  const isRefused = ['400', '409', '422'].some((status) => operation.responses.has(status));
  return only === undefined || !isRefused ? undefined : { names: [only.name], isCertain: false, ignoresCase: false };
}

function saysUnique({ schema: { description } }: Property, thing: string): boolean {
  if (
    typeof description !== 'string' ||
    /\b(?:not|need not|per|within|may be)\b/i.test(description.split('.')[0] ?? '')
  )
    return false;
  return ONLY_ONE.test(description) || IDENTIFIES.exec(description)?.[1]?.toLowerCase() === thing;
}

function uniqueBySentences(
  operation: Operation,
  others: readonly Property[],
  references: ReadonlyMap<string, readonly string[]>,
): UniqueProperties | undefined {
  const refusal = operation.responses.get('409');
  if (refusal === undefined) return undefined;
  const isUnique = (text: string): boolean =>
    text
      .split(/[;:]/)
      .map((each) => each.replace(/\b(?:no|never)\b(?=.*\bsame\b)/i, ''))
      .some((each) => UNIQUE_WORDS.test(each) && !/(?<!\bor )\b(?:not|no|never|may share)\b/i.test(each));
  const own = textOf(operation)
    .split(SENTENCE)
    .filter((each) => /\b409\b|\bconflict/i.test(each) && isUnique(each));
  const said = namesInWords([...own, ...refusal.description.split(/[.;]/).filter(isUnique)].join('. '));
  const named = others.filter(({ name }) =>
    [foldedName(name), ...(references.get(name) ?? [])].some((each) => said.has(each)),
  );
  return {
    names: named.map(({ name }) => name),
    isCertain: own.some((each) => /\b409\b/.test(each)),
    ignoresCase: own.some((each) => ANY_CASE.test(each)),
  };
}

/** What a removal says of each kind of things that refer to what it removes, or lie below it. */
function referrerRules(
  view: SchemaView,
  { resource: { path, scope }, operation }: Binding,
  writes: readonly Binding[],
): ReferrerRule[] {
  const resources = new Set(writes.map(({ resource }) => resource));
  return [...resources].flatMap((from) => {
    const reference = from.references.find(({ property, to, form, isGuess }) => {
      const isNeeded = writes.some((each) => each.resource === from && each.said.needs.has(property));
      return to === path && scope.length === 0 && form === 'key' && (isGuess !== true || isNeeded);
    });
    const isBelow = from.scope.at(-1)?.parent === path;
    const rule = reference !== undefined || isBelow ? ruleFor(view, operation, from) : undefined;
    if (rule === undefined || from.path === path || (isBelow && rule.effect !== 'remove')) return [];
    return [{ ...rule, from: from.path, property: isBelow ? undefined : reference?.property }];
  });
}

type Effect = Pick<ReferrerRule, 'effect' | 'state'>;

function ruleFor(view: SchemaView, operation: Operation, from: ResourceDescription): Effect | undefined {
  const states = statesOf(view, from);
  const clauses = textOf(operation)
    .split(/[.;]/)
    .map((each) => each.trim());
  const changed = clauses.flatMap((each) => changeSaid(each, from, states) ?? []);
  if (changed[0] !== undefined) return changed[0];
  if (clauses.some((each) => saysAllGo(each, from))) return { effect: 'remove' };
  const refusals = refusalsSaid(operation, ['409'], /[.;]/);
  const kept = operation.responses.has('409') ? [...refusals, ...clauses.filter((each) => CANNOT.test(each))] : [];
  return kept.map((each) => keptBy(each, from, states)).find((each) => each !== undefined);
}

interface States {
  readonly property: string;
  readonly words: readonly string[];
}

function statesOf(view: SchemaView, { properties }: ResourceDescription): States[] {
  return [...properties.values()].flatMap((property) => {
    const words = isStateName(property.name) ? stateWordsOf(view, property) : [];
    return words.length === 0 ? [] : [{ property: property.name, words }];
  });
}

/** "Its active or paused subscriptions are canceled", and nothing that says when, or which of them. */
const ALL_IN_STATE =
  /^(?:all )?(?:of )?its ((?:[\w`]+(?:, (?:or |and )?| or | and ))*[\w`]+ )?(\w+) (?:are|become) (?:also )?[`"']?(\w+)[`"']?(?: too| as well| with it)?$/i;

function changeSaid(clause: string, { name }: ResourceDescription, states: readonly States[]): Effect | undefined {
  const [, before = '', noun = '', to = ''] = ALL_IN_STATE.exec(clause) ?? [];
  if (foldedName(noun) !== foldedName(name)) return undefined;
  const named = wordsOf(before).filter((each) => each !== 'or' && each !== 'and');
  const found = states.find(({ words }) => [...named, to].every((each) => words.includes(each)));
  if (found !== undefined)
    return { effect: 'change', state: { property: found.property, among: named.length > 0 ? named : found.words, to } };
  return named.length === 0 && GONE.test(to) ? { effect: 'remove' } : undefined;
}

const GONE = /^(?:deleted|removed|erased|destroyed|dropped)$/i;
const CANNOT = /\b(?:cannot|can['’]?t|can not) be (?:deleted|removed|erased|destroyed|dropped)\b/i;
const ALL_ITS = /\b(?:and|with|including) (?:all|everything|every|each|its|the|their)\b/i;

/** "Delete a glossary and all its terms"? */
function saysAllGo(clause: string, { name }: ResourceDescription): boolean {
  return (
    /^(?:delete|remove|erase|destroy|drop)s?\b/i.test(clause) &&
    ALL_ITS.test(clause) &&
    !/\b(?:not|no|never|unless|keeps?|kept|stays?|remains?|only|without|if)\b/i.test(clause) &&
    namesInWords(clause.replace(/^.*?(?=\b(?:and|with|including)\b)/i, '')).has(foldedName(name))
  );
}

/** Words before a noun that say nothing of which of its things are meant. */
const BEFORE = new Set(
  'a an the any some one its has have had is are by with which where that of still more other existing when while if and or contains'.split(
    ' ',
  ),
);
/** Words after it that do. */
const AFTER = new Set(
  'that which who whose with without in from of older newer due since until before after'.split(' '),
);

const NEGATIONS = new Set('not no unless never except without'.split(' '));

/** "A depot in which vehicles are stationed cannot be deleted (409)", "the customer has open invoices". */
function keptBy(clause: string, { name }: ResourceDescription, states: readonly States[]): Effect | undefined {
  const words = wordsOf(clause.replaceAll(/\bnot (?:be )?(?:deleted|removed)\b/gi, ''));
  const own = wordsOf(name);
  const at = words.findIndex((each) => singular(each) === own.at(-1));
  if (at === -1) return undefined;
  const found = states
    .map((each) => ({ ...each, named: each.words.filter((word) => words.includes(word)) }))
    .find(({ named }) => named.length > 0);
  const before = at === 0 ? 'the' : (words[at - 1] ?? '');
  const isPlain = BEFORE.has(before) || own.includes(before);
  const isNegated = words.some((each) => NEGATIONS.has(each));
  if (found === undefined)
    return !isPlain || isNegated || AFTER.has(words[at + 1] ?? '') ? undefined : { effect: 'keep' };
  if (!isPlain && !found.named.includes(before)) return undefined;
  return { effect: 'keep', ...statesMeant(clause, found, isNegated) };
}

/** In which states they keep it; nothing where they do in each. */
function statesMeant(
  clause: string,
  { property, words, named }: States & { readonly named: readonly string[] },
  isNegated: boolean,
): Pick<Effect, 'state'> {
  if (/\b(?:also|even|whatever|regardless)\b/i.test(clause)) return {};
  return { state: { property, among: isNegated ? words.filter((each) => !named.includes(each)) : named } };
}

const HARMLESS =
  /no effect|nothing happens|(?:changes|does) nothing|unchanged|no-op|idempotent|harmless|is fine|succeeds/i;
const CONFLICT = /\b(?:409|conflict\w*)\b/i;
/** Where it is said in which states something can be done, and what. */
const CAN: readonly RegExp[] = [
  /\bonly\b(?<open>[^.;]{1,60}?)\b(?:can|may)\b(?! ?not)(?<done>.*)/i,
  /\b(?:can|may) only be (?<done>\w+) (?:if|when|while|in|for)\b(?<open>.*)/i,
  /\b(?:can|may) be (?<done>\w+) only (?:if|when|while|in|for)\b(?<open>.*)/i,
  /^(?<shut>.*?)\b(?:can ?not|can['’]t|may not|must not)\b(?<done>.*)/i,
];
const CONDITIONS: readonly RegExp[] = [
  /\b(?:unless|until|only (?:if|when|while|for|in)|must be)\b(?<open>.*)/i,
  /\b(?:if|when|where|while|for|once|of|as (?:soon|long) as)\b(?<shut>.*)/i,
];
/** Words beside those for a state that leave its meaning as it is. */
const BESIDE = new Set(
  'a an the this it its is are was be been being has have had in of to for if when where while once as soon long only unless until that which or and either nor state status already still yet now currently longer any more again not no 409 conflict response with'.split(
    ' ',
  ),
);
const CHANGED = /\b(?:chang|updat|edit|modif|replac|revis|amend)/i;

/** In which states of its item an operation that documents 409 says that it is refused. */
function closedStates(view: SchemaView, binding: Binding, all: readonly Binding[]): ClosedStates | undefined {
  const { operation, resource, behaviour } = binding;
  const refusal = operation.responses.get('409');
  const text = textOf(operation);
  const isChange = ['act', 'update', 'replace', 'upsert', 'remove'].includes(behaviour);
  if (refusal === undefined || !isChange || HARMLESS.test(`${text} ${refusal.description}`)) return undefined;
  const states = statesOf(view, resource).filter(({ words }) => words.length > 1);
  const clauses = (words: string): string[] => words.split(/[.;!?]|,(?= (?:and|or|nor) (?:if|when|while|for)\b)/);
  const found = [
    ...text
      .split(/[.;!?]/)
      .flatMap((each) => clauses(each).flatMap((part) => closedIn(binding, part, CONFLICT.test(each), states))),
    ...clauses(refusal.description).flatMap((each) => closedIn(binding, ` if ${each}`, true, states)),
    ...clauses(`${text}.${refusal.description}`).flatMap((each) => doneOnce(binding, each)),
  ];
  const [first] = [...found.filter(({ isCertain }) => isCertain), ...found];
  if (first === undefined) return undefined;
  const same = found.filter((each) => each.property === first.property && each.isCertain === first.isCertain);
  const values = [...new Set(same.flatMap((each) => each.values))];
  const words = states.find(({ property }) => property === first.property)?.words ?? [];
  const open = words.filter((each) => !values.includes(each));
  if (words.length > 0 && open.length === 0) return undefined;
  const isCertain =
    first.isCertain && (words.length === 0 || comesTo(view, resource, first.property, words, open, all));
  return { property: first.property, values, isCertain };
}

/** What one clause says of states. */
function closedIn(binding: Binding, clause: string, isConflict: boolean, states: readonly States[]): ClosedStates[] {
  const ways = isConflict ? [...CAN, ...CONDITIONS] : CAN;
  const { open, shut, done = '' } = ways.map((each) => each.exec(clause)).find((each) => each !== null)?.groups ?? {};
  const told = open ?? shut ?? '';
  if (done !== '' && !isDone(binding, done)) return [];
  return states.slice(0, 1).flatMap(({ property, words }) => {
    const named = words.filter((each) => new RegExp(`\\b${each.replaceAll(/\W|_/g, '.')}\\b`, 'i').test(told));
    const isOpen = (open !== undefined) !== /\b(?:not|no longer|never|isn['’]t)\b/i.test(told);
    const own = binding.action?.assignments.find((each) => each.property === property)?.value;
    // To do once more what is done already may be as good as to refuse it, unless it is said.
    const isLeft = (each: string): boolean => !named.includes(each) && (isConflict || each !== own);
    const values = isOpen ? words.filter(isLeft) : named;
    return named.length === 0 || values.length === 0
      ? []
      : [{ property, values, isCertain: saysNoMore(told, binding, named) }];
  });
}

/** Are all words of a clause those for states, for the thing, and such as need no meaning? */
function saysNoMore(clause: string, { resource }: Binding, known: readonly string[]): boolean {
  const own = new Set([...known.flatMap(wordsOf), ...wordsOf(resource.name)].map(singular));
  return wordsOf(clause).every((each) => BESIDE.has(each) || own.has(singular(each)));
}

/** Do words speak of what the operation does? */
function isDone({ behaviour, action, operation }: Binding, words: string): boolean {
  if (behaviour !== 'act' && behaviour !== 'remove') return CHANGED.test(words);
  const verbs = [action?.verb, operation.summary, operation.id].map((each) => wordsOf(each ?? '')[0] ?? '');
  const stems = verbs
    .flatMap((each) => participles(each.replace(/s$/, '')))
    .concat(behaviour === 'remove' ? ['deleted', 'removed'] : []);
  return wordsOf(words).some((each) => stems.includes(each));
}

/** "A loan is returned once", "409 if already returned". */
function doneOnce(binding: Binding, clause: string): ClosedStates[] {
  const { verb = '', assignments = [] } = binding.action ?? {};
  const [done] = assignments.filter(({ isMerged }) => isMerged !== true);
  const forms = participles(wordsOf(verb)[0] ?? '');
  if (forms.length === 0 || done === undefined) return [];
  const word = `(?:${forms.join('|')})`;
  const ways = [`already (?:been )?${word}`, `${word} already`, `${word} (?:only )?(?:once|twice|a second time)`];
  const said = new RegExp(`\\b(?:${ways.join('|')})\\b`, 'i').exec(clause);
  if (said === null) return [];
  const rest = clause.replace(said[0], '').replace(/\b(?:can|may|must)(?: only)? be\b/i, '');
  return [{ property: done.property, values: [done.value], isCertain: saysNoMore(rest, binding, []) }];
}

/** Does an item come to one of these states: at first, by an action, or because a client says so? */
function comesTo(
  view: SchemaView,
  resource: ResourceDescription,
  property: string,
  words: readonly string[],
  open: readonly string[],
  all: readonly Binding[],
): boolean {
  const own = all.filter((each) => each.resource === resource);
  const creations = own.filter(({ behaviour }) => behaviour === 'create').map(({ operation }) => operation.description);
  const first = documentedInitialState(words, [], creations) ?? initialStatesAmong(words)[0] ?? '';
  return own.some(
    ({ request, action }) =>
      open.includes(first) ||
      (request?.item !== undefined && view.properties(request.item).has(property)) ||
      action?.assignments.some((each) => each.property === property && open.some((word) => word === each.value)),
  );
}
