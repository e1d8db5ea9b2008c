import type { JsonObject } from '../core/json/json-value';
import type { ApiModel } from '../openapi/model/api-model';
import { withArticle } from '../traffic/contract/names';
import { Draft } from './draft';
import { addChange, addCreation, addPartialChanges, addRemoval } from './lifecycle';
import { addLists } from './lists';
import { addObservations } from './observations';
import { addReferences, addRemovalOfReferred } from './references';
import { addPages } from './pages';
import { addProtocol } from './protocol';
import { addListRejections } from './query-rejections';
import { addRejectedChanges, addRejections, addVariations } from './rejections';
import { findKinds, isSubject, type Kind, type Subject } from './subject';

/** A kind of generated interactions. */
interface Family {
  readonly id: FamilyId;
  /** For the name of its contracts. */
  readonly words: (noun: string) => string;
  readonly add: (draft: Draft, kind: Kind) => void;
}

export const FAMILY_IDS = ['positive', 'negative', 'lifecycle', 'lists', 'http'] as const;
export type FamilyId = (typeof FAMILY_IDS)[number];

/** All families, in the order in which their contracts are run. */
const FAMILIES: readonly Family[] = [
  { id: 'lifecycle', words: (noun) => `${noun} is made`, add: ofMade(addCreation) },
  { id: 'lifecycle', words: (noun) => `${noun} is replaced`, add: ofMade(addChange('replace')) },
  { id: 'lifecycle', words: (noun) => `${noun} is changed`, add: ofMade(addChange('update')) },
  { id: 'lifecycle', words: (noun) => `${noun} is changed in part`, add: ofMade(addPartialChanges) },
  { id: 'lifecycle', words: (noun) => `${noun} is removed`, add: ofMade(addRemoval) },
  { id: 'lifecycle', words: (noun) => `what ${noun} refers to`, add: ofMade(addReferences) },
  { id: 'lifecycle', words: (noun) => `what ${noun} refers to is removed`, add: ofMade(addRemovalOfReferred) },
  { id: 'lists', words: (noun) => `${noun} that is there`, add: addObservations },
  { id: 'lists', words: (noun) => `lists with ${noun}`, add: ofMade(addLists) },
  { id: 'lists', words: (noun) => `pages of lists with ${noun}`, add: ofMade(addPages) },
  { id: 'negative', words: (noun) => `how lists with ${noun} may not be asked for`, add: addListRejections },
  { id: 'http', words: (noun) => `HTTP, at ${noun}`, add: addProtocol },
  { id: 'positive', words: (noun) => `what ${noun} may be`, add: ofMade(addVariations) },
  { id: 'negative', words: (noun) => `what ${noun} may not be`, add: ofMade(addRejections) },
  { id: 'negative', words: (noun) => `how ${noun} may not be changed`, add: ofMade(addRejectedChanges) },
];

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
}

/**
 * Makes contracts of a description alone: what it says has to be so, asked in many ways. One family of all kinds of things
 * after the other, so that who takes the first of them has seen something of each kind.
 */
export function* generateContracts(api: ApiModel, { seed, families }: GenerateOptions): Generator<JsonObject> {
  for (const { words, add } of FAMILIES.filter(({ id }) => families?.has(id) ?? true)) {
    for (const kind of findKinds(api)) {
      const draft = new Draft(api, kind, seed);
      add(draft, kind);
      const contract = draft.contract(`Generated: ${words(withArticle(draft.noun))}`);
      if (contract !== undefined) yield contract;
    }
  }
}
