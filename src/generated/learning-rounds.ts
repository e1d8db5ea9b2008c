import { parsePointer } from '../core/json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue, valueAlong } from '../core/json/json-value';
import { type Contract, stepsOf } from '../formats/contract/contract';
import type { ApiModel } from '../openapi/model/api-model';
import { inWords, withArticle } from '../traffic/contract/names';
import type { LearntFact } from '../runner/result/run-result';
import type { Answer, Round, Rounds } from '../runner/run/rounds';
import { BodySearch } from './body-search';
import { catalogueReferencesOf } from './catalogues';
import { Draft } from './draft';
import { type ChosenFamily, chosenFamilies, type GeneratedContract, type GenerateOptions } from './generate-contracts';
import { actionsOf, type ItemAction, suppliesOf } from './item-actions';
import { type BodyLessons, type Lesson, Learnt } from './lessons';
import { ABSENT } from './remedy';
import {
  findSubjects,
  keyPathOf,
  leavesSomething,
  NOTHING_REMOVES,
  placesAround,
  type Subject,
  successStatuses,
} from './subject';
import { UselessOperations } from './useless-operations';

/**
 * Statuses that say that the content of a request was wrong (RFC 9110 §15.5.1, §15.5.10, §15.5.21), or that a service
 * failed: another body may not meet what it fails at.
 */
const CONTENT_STATUSES: ReadonlySet<number> = new Set([400, 409, 422, 500, 502, 504]);

/** So many other bodies are tried for a kind of things. */
const MOST_TRIES = 12;

/** Where what is generated is read and how much of it there may be. */
export interface LearningOptions extends GenerateOptions {
  /** Contracts that are run first, whatever is generated. */
  readonly first: readonly Contract[];
  /** How many requests may be generated. */
  readonly room: number;
  readonly read: (root: JsonObject) => Contract;
}

/**
 * Makes contracts of a description while they are run, and learns of the answers: where the first creation of a kind is
 * refused for its content, other bodies are tried, and what is made from then on is made as one that was taken. Operations
 * that answer nothing useful are asked no more. The same answers give the same requests.
 */
export function learningRounds(api: ApiModel, options: LearningOptions): Rounds {
  return new Learner(api, options).rounds();
}

/** A round, and the answers to it. */
type Asking<Result> = Generator<Round, Result, readonly Answer[]>;

class Learner {
  private readonly api: ApiModel;
  private readonly options: LearningOptions;
  private readonly learnt = new Learnt();
  private readonly useless = new UselessOperations();
  private readonly facts: LearntFact[] = [];
  private readonly staying = new StayingCount();
  private readonly creators: ReadonlyMap<string, Subject>;
  /** Paths of resources of which the service took a body. */
  private readonly made = new Set<string>();
  private readonly explored = new Map<string, boolean>();
  private room: number;

  constructor(api: ApiModel, options: LearningOptions) {
    this.api = api;
    this.options = options;
    this.room = options.room;
    const subjects = findSubjects(api, options.mayLeave ?? false).filter(({ comesWith }) => comesWith === undefined);
    this.creators = new Map(subjects.map((subject) => [subject.create.operation.id, subject]));
  }

  *rounds(): Rounds {
    const { first } = this.options;
    if (first.length > 0) this.note(yield { contracts: first });
    let isFirst = true;
    for (const family of chosenFamilies(this.options)) {
      const all = [...family.contracts(this.api, this.learnt)];
      if (all.length === 0) continue;
      yield* this.ask(family, all, isFirst);
      isFirst = false;
      this.facts.push(...this.useless.facts());
      if (this.room < 0) break;
    }
    return this.facts;
  }

  /** Runs the contracts of a family, and once more those that were refused, as long as something is learnt. */
  private *ask(family: ChosenFamily, all: readonly GeneratedContract[], isFirst: boolean): Asking<void> {
    let current = all;
    for (let again = 0; current.length > 0; again++) {
      const read = this.fitting(current, again === 0 ? '' : ', as was learnt');
      const answers = yield* this.run([...read.keys()], isFirst);
      const refusals = answers.filter((answer) => this.isRefused(answer, isFirst));
      const learnt = yield* this.learnFrom(refusals, (contract) => read.get(contract)?.kind);
      if (learnt.size === 0) return;
      const kinds = new Set(
        refusals
          .filter((answer) => learnt.has(this.kindOf(answer)?.resource.path ?? ''))
          .map(({ contract }) => read.get(contract)?.kind),
      );
      current = [...family.contracts(this.api, this.learnt, again + 1)].filter(({ kind }) => kinds.has(kind));
    }
  }

  private *run(contracts: readonly Contract[], isSequential: boolean): Asking<readonly Answer[]> {
    if (contracts.length === 0) return [];
    const answers = yield { contracts, isSequential };
    this.room += contracts.flatMap(stepsOf).length - answers.length;
    this.note(answers);
    return answers;
  }

  /** Contracts as far as there is room, by what they were made of. */
  private fitting(all: readonly GeneratedContract[], suffix: string): Map<Contract, GeneratedContract> {
    const chosen = new Map<Contract, GeneratedContract>();
    for (const each of all) {
      const named = suffix === '' ? each.contract : { ...each.contract, name: `${each.name}${suffix}` };
      const contract = this.useless.without(this.options.read(named));
      if (contract === undefined) continue;
      if (!this.staying.takes(contract)) continue;
      this.room -= stepsOf(contract).length;
      if (this.room < 0) break;
      chosen.set(contract, each);
    }
    return chosen;
  }

  private note(answers: readonly Answer[]): void {
    this.useless.note(answers);
    for (const answer of answers) {
      const subject = this.kindOf(answer);
      if (subject === undefined || answer.status >= 300) continue;
      if (!this.made.has(subject.resource.path)) this.tellEntries(subject);
      this.made.add(subject.resource.path);
      this.noteNaming(subject, answer);
    }
  }

  /** What of others is named in what was made. */
  private tellEntries(subject: Subject): void {
    for (const { path, to } of catalogueReferencesOf(this.api, subject)) {
      const message = `names in ${path.join('.')} the first that GET ${to} lists`;
      this.facts.push({ operation: subject.create.operation.id, message });
    }
  }

  /** Is the key of what was made one of its texts, as far as letters and digits go? */
  private noteNaming({ resource, create, shownKey }: Subject, { sent, body }: Answer): void {
    const key =
      create.operation.method === 'POST' ? valueAlong(body, parsePointer(shownKey.split('#')[1] ?? '')) : undefined;
    const item = valueAlong(sent, create.request?.path ?? []);
    if (this.learnt.namingOf(resource.path) !== undefined || !isJsonObject(item)) return;
    const [own] = keyPathOf(resource);
    const [name] = Object.entries(item).find(([property, value]) => property !== own && isMadeOf(key, value)) ?? [];
    if (name === undefined) return;
    this.learnt.rememberNaming(resource.path, name);
    this.facts.push({ operation: create.operation.id, message: `makes the key of ${name}: changes keep it` });
  }

  private kindOf({ step: { request } }: Answer): Subject | undefined {
    return request.kind === 'operation' ? this.creators.get(request.operationId) : undefined;
  }

  /** Was a creation that was to succeed refused for its content, where the service never took one, or tells what is there twice? */
  private isRefused(answer: Answer, isFirst: boolean): boolean {
    const { step, status } = answer;
    const subject = this.kindOf(answer);
    const isMeant = step.expect.statuses.some((each) => each < 300) && !step.expect.statuses.includes(status);
    if (subject === undefined || !CONTENT_STATUSES.has(status) || !isMeant || step.together !== undefined) return false;
    if (!this.made.has(subject.resource.path)) return true;
    return (isFirst || step.phase === 'setup') && UNIQUE.test(JSON.stringify(answer.body ?? ''));
  }

  /** @returns paths of the resources whose bodies are other ones from now on */
  private *learnFrom(
    refusals: readonly Answer[],
    kindOfContract: (contract: Contract) => GeneratedContract['kind'] | undefined,
  ): Asking<ReadonlySet<string>> {
    const learnt = new Set<string>();
    for (const refusal of refusals) {
      const subject = this.kindOf(refusal);
      if (subject === undefined) continue;
      const { path } = subject.resource;
      if (!this.explored.has(path) && (yield* this.explore(subject, refusal))) learnt.add(path);
      const kind = kindOfContract(refusal.contract);
      const other = findSubjects(this.api, this.options.mayLeave ?? false).find(
        ({ resource }) => resource === kind?.resource,
      );
      if (
        this.explored.get(path) === false &&
        other !== undefined &&
        other !== subject &&
        this.leaveOut(other, subject)
      )
        learnt.add(path);
    }
    return learnt;
  }

  /** What cannot be made is not referred to. */
  private leaveOut(subject: Subject, target: Subject): boolean {
    const { path } = subject.resource;
    const known = this.learnt.about(path);
    const properties = subject.resource.references.filter(({ to }) => to === target.resource.path);
    const lessons = properties
      .filter(({ property }) => !known.lessons.some((lesson) => lesson.path[0] === property))
      .map(({ property }): Lesson => ({ ...ABSENT, path: [property] }));
    if (lessons.length === 0) return false;
    this.learnt.remember(path, { ...known, lessons: [...known.lessons, ...lessons] });
    const names = lessons.map((lesson) => lesson.path.join('.')).join(', ');
    const message = `is called without ${names} from now on: no ${target.resource.name} could be made`;
    this.facts.push({ operation: subject.create.operation.id, message });
    return true;
  }

  /** Tries other bodies until one is taken. @returns whether one was */
  private *explore(subject: Subject, first: Answer): Asking<boolean> {
    const { path } = subject.resource;
    const { operation } = subject.create;
    const before = this.learnt.about(path);
    this.explored.set(path, false);
    const search = new BodySearch(this.api, subject, this.options.seed, before);
    const preparations = new Preparations(this.api, subject, this.learnt, this.options.mayLeave === true);
    const next = (refusal: Answer): BodyLessons | undefined =>
      refusal.status === 409 && preparations.tryNext() ? this.learnt.about(path) : search.next(refusal);
    let proposal = next(first);
    let tries = 0;
    let last = first;
    while (proposal !== undefined && tries < MOST_TRIES) {
      this.learnt.remember(path, proposal);
      const answers: readonly Answer[] = yield* this.try(subject, (tries += 1));
      search.see(answers.flatMap((answer) => itemsIn(subject, answer)));
      const own: readonly Answer[] = answers.filter((answer) => this.kindOf(answer) === subject);
      const [taken] = own;
      // Where what it needs could not be made either, it was not asked for at all.
      const refusal = own.find(({ status }) => status >= 400) ?? (taken === undefined ? last : undefined);
      last = refusal ?? last;
      if (taken !== undefined && refusal === undefined) {
        this.explored.set(path, true);
        yield* this.makePlainer(subject, search, taken, tries + 1);
        yield* this.makeFuller(subject, search, tries + 2);
        const facts = [...search.facts(), ...preparations.facts()];
        this.facts.push(...facts.map((message) => ({ operation: operation.id, message })));
        return true;
      }
      proposal = refusal && next(refusal);
    }
    preparations.forget();
    this.learnt.rememberRefused(path);
    this.learnt.remember(path, before);
    const message = `refuses what the description allows with ${first.status}; of ${tries} other bodies it took none`;
    this.facts.push({ operation: operation.id, message });
    return false;
  }

  /** Where only the least body was taken: everything but what the service does not take, found by halves. */
  private *makeFuller(subject: Subject, search: BodySearch, number: number): Asking<void> {
    const { path } = subject.resource;
    let tries = number;
    let suspects = search.leftOut();
    let good = this.learnt.about(path);
    while (suspects.length > 0 && tries < number + MOST_TRIES) {
      const middle = Math.ceil(suspects.length / 2);
      const halves = [suspects.slice(0, middle), suspects.slice(middle)].filter((each) => each.length > 0);
      let found: readonly string[] | undefined;
      for (const half of halves) {
        const fuller = search.without(half);
        this.learnt.remember(path, fuller);
        const answers: readonly Answer[] = yield* this.try(subject, (tries += 1));
        if (!this.isTaken(subject, answers)) continue;
        [found, good] = [half, fuller];
        break;
      }
      if (found === undefined || found.length === suspects.length) break;
      suspects = [...found];
    }
    this.learnt.remember(path, good);
    search.goOn(good);
  }

  private isTaken(subject: Subject, answers: readonly Answer[]): boolean {
    const own = answers.filter((answer) => this.kindOf(answer) === subject);
    return own.length > 0 && own.every(({ status }) => status < 300);
  }

  /** A body that was taken and comes back in another form: once more in a plainer one. */
  private *makePlainer(subject: Subject, search: BodySearch, taken: Answer, number: number): Asking<void> {
    const { path } = subject.resource;
    const before = this.learnt.about(path);
    const plainer = search.plainer(taken);
    if (plainer === undefined) return;
    this.learnt.remember(path, plainer);
    const answers = yield* this.try(subject, number);
    if (this.isTaken(subject, answers)) return;
    this.learnt.remember(path, before);
    search.goOn(before);
  }

  /** Makes two things of a kind, which may not be the same in something. */
  private *try(subject: Subject, number: number): Asking<readonly Answer[]> {
    const { seed, within, ownKeys } = this.options;
    const noun = inWords(subject.resource.name);
    const draft = new Draft(this.api, noun, {
      seed,
      within,
      ownKeys,
      learnt: this.learnt,
      // What another kind needs may be there still, under its name.
      mark: `t${[...this.creators.keys()].indexOf(subject.create.operation.id)}x${number}`,
      mayLeave: leavesSomething(subject),
      actsFreely: this.options.mayLeave,
    });
    const first = draft.ingredients(subject);
    const list = subject.of('list');
    if (first === undefined) return [];
    const one = withArticle(noun);
    if (list !== undefined)
      draft.add('setup', {
        name: `look at ${one} that is there`,
        ...draft.beside(first, list),
        mayBeRefused: true,
        expect: { status: successStatuses(list.operation, [200]) },
      });
    draft.make(first, 'setup', `add ${one} in another way`);
    const second = draft.ingredients(subject);
    if (second !== undefined) draft.make(second, 'steps', `add ${one} in the same way`, { mayBeRefused: true });
    const contract = draft.contract(`Generated: ${one} is made in another way (${number})`);
    const chosen = contract === undefined ? undefined : this.options.read(contract);
    if (chosen === undefined || this.room < stepsOf(chosen).length || !this.staying.takes(chosen)) return [];
    this.room -= stepsOf(chosen).length;
    return yield* this.run([chosen], true);
  }
}

/** So many things of a kind may stay after a run. */
const MOST_STAYING = 25;

/** Counts the things that stay, over all contracts of a run. */
class StayingCount {
  private readonly counts = new Map<string, number>();

  /** @returns whether a contract makes no more than may stay; then what it makes is counted */
  takes(contract: Contract): boolean {
    const made = stepsOf(contract).flatMap(({ leaves, request, expect: { statuses } }) => {
      const isMeant = leaves === NOTHING_REMOVES && statuses.some((status) => status < 300);
      return isMeant && request.kind === 'operation' ? [request.operationId] : [];
    });
    const counts = new Map<string, number>();
    for (const id of made) counts.set(id, (counts.get(id) ?? this.counts.get(id) ?? 0) + 1);
    if ([...counts.values()].some((count) => count > MOST_STAYING)) return false;
    for (const [id, count] of counts) this.counts.set(id, count);
    return true;
  }
}

/** So many ways to prepare are tried, since each makes things. */
const MOST_PREPARATIONS = 5;

/**
 * What is sent below the things that a creation names, until it is taken: what gives them plenty, such as a delivery, or
 * what is done with them first, such as a confirmation.
 */
class Preparations {
  private readonly api: ApiModel;
  private readonly subject: Subject;
  private readonly learnt: Learnt;
  private readonly actsFreely: boolean;
  private readonly tried = new Set<string>();
  private current: { readonly path: string; readonly operations: string } | undefined;

  constructor(api: ApiModel, subject: Subject, learnt: Learnt, actsFreely: boolean) {
    this.api = api;
    this.subject = subject;
    this.learnt = learnt;
    this.actsFreely = actsFreely;
  }

  /** @returns whether there is another one */
  tryNext(): boolean {
    this.forget();
    for (const { path, actions } of this.tried.size < MOST_PREPARATIONS ? this.candidates() : []) {
      const operations = actions.map(({ operation }) => operation.id).join(' and ');
      if (this.tried.has(operations)) continue;
      this.tried.add(operations);
      this.learnt.rememberPreparations(path, actions);
      this.current = { path, operations };
      return true;
    }
    return false;
  }

  private candidates(): { readonly path: string; readonly actions: readonly ItemAction[] }[] {
    const { references, path: own } = this.subject.resource;
    const named = [...references, ...this.learnt.referencesOf(own)].map(({ to }) => to);
    const paths = new Set([...named, ...placesAround(this.subject).flatMap(({ parent }) => parent ?? [])]);
    const targets = findSubjects(this.api, leavesSomething(this.subject)).filter(
      ({ resource, comesWith }) => paths.has(resource.path) && comesWith === undefined,
    );
    return targets.flatMap((target) => {
      const changes = actionsOf(this.api, target, this.actsFreely).filter(
        ({ operation }) => operation.method !== 'GET',
      );
      const one = (action: ItemAction): readonly ItemAction[] => [action];
      // In the order of the description one leads to the next: what is confirmed is completed.
      const ways = [
        ...(this.actsFreely ? suppliesOf(this.api, target).map(one) : []),
        ...changes.map((_, index) => changes.slice(0, index + 1)),
        ...changes.slice(1).map(one),
      ];
      return ways.map((actions) => ({ path: target.resource.path, actions }));
    });
  }

  forget(): void {
    if (this.current !== undefined) this.learnt.rememberPreparations(this.current.path, []);
    this.current = undefined;
  }

  facts(): string[] {
    return this.current === undefined
      ? []
      : [`is called after ${this.current.operations}: it was refused with 409 before`];
  }
}

/** A text of fewer letters and digits may be in a key by chance. */
const LEAST_NAME = 8;

function isMadeOf(key: JsonValue | undefined, value: JsonValue): boolean {
  if (typeof key !== 'string' || typeof value !== 'string') return false;
  const [own, name] = [key, value].map((text) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, ''));
  return own !== undefined && name !== undefined && name.length >= LEAST_NAME && own.includes(name);
}

/** What says that something is there twice. */
const UNIQUE = /already|duplicate|\bunique\b|been taken|is taken|in use|(?<!not[\s_-]?)exists/i;

/** The things in the answer to a list. */
function itemsIn(subject: Subject, { step, status, body }: Answer): JsonObject[] {
  const list = subject.of('list');
  const { request } = step;
  if (list?.response?.form !== 'list' || request.kind !== 'operation' || status >= 300) return [];
  if (request.operationId !== list.operation.id) return [];
  const items = valueAlong(body, list.response.path);
  const entries: JsonValue[] = Array.isArray(items) ? items.slice(0, MOST_ITEMS) : [];
  return entries.map((entry) => valueAlong(entry, list.response?.entryPath ?? [])).filter(isJsonObject);
}

const MOST_ITEMS = 20;
