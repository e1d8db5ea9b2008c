import { openDoors, uncheckedDemands } from './description-mutants';
import { lostHeaders, otherHeaders } from './header-mutants';
import type { GradedApi, Mutant } from './mutant';
import { garbledInputs, ignoredParameters, longerPages, lostInputs } from './request-mutants';
import {
  errorsAsSuccesses,
  leakedProperties,
  lostProperties,
  missesForgiven,
  otherErrors,
  otherLists,
  otherStatuses,
  otherValues,
} from './response-mutants';
import {
  forgettingChanges,
  forgottenEffects,
  forgottenWrites,
  mergingReplacements,
  strayWrites,
} from './state-mutants';

/** A kind of mistake that people make when they build a service. */
interface Operator {
  readonly id: string;
  /** For the table of a report. */
  readonly title: string;
  readonly mutants: (graded: GradedApi) => Iterable<Mutant>;
}

/** All kinds of mistakes, in the order of reports. They are made of a description alone, and know nothing of checks. */
export const OPERATORS: readonly Operator[] = [
  {
    id: 'status',
    title: 'another status',
    mutants: (api) => joined(api, otherStatuses, missesForgiven, errorsAsSuccesses),
  },
  { id: 'error', title: 'other errors', mutants: otherErrors },
  { id: 'missing', title: 'a property of a response is missing', mutants: lostProperties },
  { id: 'value', title: 'a property of a response is another', mutants: otherValues },
  { id: 'leak', title: 'a response shows too much', mutants: leakedProperties },
  { id: 'header', title: 'a header is missing or another', mutants: (api) => joined(api, lostHeaders, otherHeaders) },
  { id: 'list', title: 'a list is not what it should be', mutants: (api) => joined(api, otherLists, longerPages) },
  { id: 'ignored', title: 'a parameter is ignored', mutants: ignoredParameters },
  { id: 'input', title: 'what is sent is lost or garbled', mutants: (api) => joined(api, lostInputs, garbledInputs) },
  { id: 'unchecked', title: 'a demand on requests is not checked', mutants: uncheckedDemands },
  { id: 'access', title: 'callers are let in that should not be', mutants: openDoors },
  {
    id: 'state',
    title: 'a write does too little or too much',
    mutants: (api) =>
      joined(api, forgottenWrites, forgottenEffects, strayWrites, mergingReplacements, forgettingChanges),
  },
];

function* joined(graded: GradedApi, ...all: readonly ((graded: GradedApi) => Iterable<Mutant>)[]): Generator<Mutant> {
  for (const mutants of all) yield* mutants(graded);
}
