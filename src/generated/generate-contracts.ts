import type { JsonObject } from '../core/json/json-value';
import type { ApiModel } from '../openapi/model/api-model';
import { inWords, withArticle } from '../traffic/contract/names';
import { addActions, addAmounts, addRestoration } from './actions';
import { addClosedStates } from './closed-states';
import {
  addConditionsTogether,
  addCreationsTogether,
  addPartsTogether,
  addRemovalsTogether,
  addReplacementsTogether,
  addRivals,
  addRivalsForTheLast,
} from './concurrency';
import { addOtherCaller } from './credentials';
import { Draft } from './draft';
import { addChange, addCreation, addPartialChanges, addRemoval } from './lifecycle';
import type { Learnt } from './lessons';
import { addLists } from './lists';
import { addObservations } from './observations';
import { OwnKeys } from './own-keys';
import { addRepetition } from './idempotency';
import { addOtherReads } from './other-reads';
import { addReferences, addRemovalOfReferred, addSecondOfKind } from './references';
import { addPages } from './pages';
import { addProtocol } from './protocol';
import { addListRejections } from './query-rejections';
import { RUN_ID } from './run-text';
import { addZonedTimes, addRejectedChanges, addRejections, addVariations } from './rejections';
import { findKinds, isSubject, type Kind, leavesSomething, type Subject } from './subject';

/** A kind of generated interactions. */
interface Family {
  readonly id: FamilyId;
  /** For the name of its contracts. */
  readonly words: (noun: string) => string;
  readonly add: (draft: Draft, kind: Kind) => void;
  /** For what is of no kind. */
  readonly addOthers?: (draft: Draft) => void;
  /** Does it make many things? Then nothing is made for it that stays. */
  readonly isRepeated?: true;
}

export const FAMILY_IDS = ['positive', 'negative', 'lifecycle', 'lists', 'http', 'concurrency', 'credentials'] as const;
export type FamilyId = (typeof FAMILY_IDS)[number];

/** All families, in the order in which their contracts are run. */
const FAMILIES: readonly Family[] = [
  { id: 'lifecycle', words: (noun) => `${noun} is made`, add: ofMade(addCreation) },
  { id: 'lifecycle', words: (noun) => `${noun} is replaced`, add: ofMade(addChange('replace')) },
  { id: 'lifecycle', words: (noun) => `${noun} is changed`, add: ofMade(addChange('update')) },
  { id: 'lifecycle', words: (noun) => `${noun} is changed in part`, add: ofMade(addPartialChanges) },
  { id: 'lifecycle', words: (noun) => `${noun} is removed`, add: ofMade(addRemoval) },
  { id: 'lifecycle', words: (noun) => `what can be done with ${noun}`, add: ofMade(addActions) },
  { id: 'lifecycle', words: (noun) => `what can be done no more with ${noun}`, add: ofMade(addClosedStates) },
  { id: 'lifecycle', words: (noun) => `what ${noun} takes from another thing`, add: ofMade(addAmounts) },
  { id: 'lifecycle', words: (noun) => `${noun} that is brought back`, add: ofMade(addRestoration) },
  { id: 'lifecycle', words: (noun) => `${noun} that is sent twice with one key`, add: ofMade(addRepetition) },
  { id: 'lifecycle', words: (noun) => `what ${noun} refers to`, add: ofMade(addReferences) },
  { id: 'lifecycle', words: (noun) => `${noun} of which there is one already`, add: ofMade(addSecondOfKind) },
  { id: 'lifecycle', words: (noun) => `what ${noun} refers to is removed`, add: ofMade(addRemovalOfReferred) },
  { id: 'lists', words: (noun) => `${noun} that is there`, add: addObservations, addOthers: addOtherReads },
  { id: 'lists', words: (noun) => `lists with ${noun}`, add: ofMade(addLists) },
  { id: 'lists', words: (noun) => `pages of lists with ${noun}`, add: ofMade(addPages) },
  { id: 'negative', words: (noun) => `how lists with ${noun} may not be asked for`, add: addListRejections },
  { id: 'http', words: (noun) => `HTTP, at ${noun}`, add: addProtocol },
  { id: 'positive', words: (noun) => `what ${noun} may be`, add: ofMade(addVariations), isRepeated: true },
  { id: 'positive', words: (noun) => `${noun} with a time of another zone`, add: ofMade(addZonedTimes) },
  { id: 'negative', words: (noun) => `what ${noun} may not be`, add: ofMade(addRejections) },
  { id: 'negative', words: (noun) => `how ${noun} may not be changed`, add: ofMade(addRejectedChanges) },
  {
    id: 'concurrency',
    words: (noun) => `${noun} beside others that are made`,
    add: ofMade(addCreationsTogether),
    isRepeated: true,
  },
  {
    id: 'concurrency',
    words: (noun) => `${noun} that several replace`,
    add: ofMade(addReplacementsTogether),
    isRepeated: true,
  },
  {
    id: 'concurrency',
    words: (noun) => `${noun} that several change in part`,
    add: ofMade(addPartsTogether),
    isRepeated: true,
  },
  {
    id: 'concurrency',
    words: (noun) => `${noun} that several change by one version`,
    add: ofMade(addConditionsTogether),
    isRepeated: true,
  },
  {
    id: 'concurrency',
    words: (noun) => `${noun} that several remove`,
    add: ofMade(addRemovalsTogether),
    isRepeated: true,
  },
  { id: 'concurrency', words: (noun) => `${noun} that only one can have`, add: ofMade(addRivals), isRepeated: true },
  {
    id: 'concurrency',
    words: (noun) => `${noun} of the last that is left`,
    add: ofMade(addRivalsForTheLast),
    isRepeated: true,
  },
];

/** What each further caller may do with what the run made. */
function ofCallers(identities: readonly string[]): Family[] {
  return identities.map((name) => ({
    id: 'credentials',
    words: (noun) => `${noun}, asked for as ${name}`,
    add: ofMade(addOtherCaller({ name })),
    isRepeated: true as const,
  }));
}

/** Of kinds that a run makes. */
function ofMade(add: (draft: Draft, subject: Subject) => void): Family['add'] {
  return (draft, kind) => {
    if (isSubject(kind)) add(draft, kind);
  };
}

/** What is generated. */
export interface GenerateOptions {
  readonly seed: string;
  /** Default: all. */
  readonly families?: ReadonlySet<FamilyId> | undefined;
  /** Names of further callers that the run has keys of; default: none. */
  readonly identities?: readonly string[] | undefined;
  /** By variable of a path: what of others something may be made below. */
  readonly within?: ReadonlyMap<string, string> | undefined;
  /** May a few things be made that nothing removes? Default: no. */
  readonly mayLeave?: boolean | undefined;
  /** Of the run; left out where nothing is sent, or to a mock of its own. */
  readonly ownKeys?: OwnKeys | undefined;
}

/**
 * Makes contracts of a description alone: what it says has to be so, asked in many ways. One family of all kinds of things
 * after the other, so that who takes the first of them has seen something of each kind.
 */
export function* generateContracts(api: ApiModel, options: GenerateOptions): Generator<JsonObject> {
  for (const family of chosenFamilies(options)) for (const { contract } of family.contracts(api)) yield contract;
}

/** A contract and the kind of thing that it is about. */
export interface GeneratedContract {
  /** `undefined` for reads of what is of no kind. */
  readonly kind: Kind | undefined;
  readonly name: string;
  readonly contract: JsonObject;
}

/** A family that was asked for. */
export interface ChosenFamily {
  /** Its contracts, made of what was learnt. Those of another round have other names: what was removed may keep its own. */
  readonly contracts: (api: ApiModel, learnt?: Learnt, round?: number) => Generator<GeneratedContract>;
}

/** The families that were asked for, in the order in which they are run. */
export function chosenFamilies({
  seed,
  families,
  identities = [],
  within,
  mayLeave = false,
  ownKeys = new OwnKeys(RUN_ID),
}: GenerateOptions): ChosenFamily[] {
  const chosen = [...FAMILIES, ...ofCallers(identities)].filter(({ id }) => families?.has(id) ?? true);
  return chosen.map((family, ordinal) => ({
    *contracts(api, learnt, round = 0) {
      for (const [index, kind] of findKinds(api, mayLeave).entries()) {
        const leaves = isSubject(kind) && leavesSomething(kind);
        if (leaves && family.isRepeated === true) continue;
        const draft = new Draft(api, inWords(kind.resource.name), {
          seed,
          learnt,
          ownKeys,
          within,
          mark: `${markOf(ordinal, index)}${round === 0 ? '' : `r${round}`}`,
          mayLeave: leaves,
          actsFreely: mayLeave,
        });
        family.add(draft, kind);
        yield* contractOf(draft, `Generated: ${family.words(withArticle(draft.noun))}`, kind);
      }
      if (family.addOthers === undefined) return;
      const mark = markOf(ordinal, findKinds(api, mayLeave).length);
      const draft = new Draft(api, 'thing', { seed, learnt, ownKeys, within, mark, looksIn: 'steps' });
      family.addOthers(draft);
      yield* contractOf(draft, 'Generated: what else can be read');
    },
  }));
}

function* contractOf(draft: Draft, name: string, kind?: Kind): Generator<GeneratedContract> {
  const contract = draft.contract(name);
  if (contract !== undefined) yield { kind, name, contract };
}

/** Different for each contract: a letter for its family, and a number. */
function markOf(family: number, kind: number): string {
  return `${String.fromCharCode(97 + (family % 26))}${kind}${family < 26 ? '' : `x${Math.floor(family / 26)}`}`;
}
