import { getAtPointer } from '../../core/json/json-pointer';
import type { JsonObject } from '../../core/json/json-value';
import type { ContractDraft } from '../contract/contract-draft';
import { placedComments } from '../contract/contract-text';
import type { PresentComment } from './edit-contract';
import type { MergedSteps } from './merge-steps';
import type { WrittenContract } from './written-contract';

interface Drafts {
  readonly base: ContractDraft;
  readonly ours: ContractDraft;
}

/**
 * Finds the comments of the generator that stand in a file as they were written. What is found is no handwriting.
 *
 * @param theirsOf - the JSON pointer in the file of one in base
 */
export function presentComments(
  written: WrittenContract,
  base: ContractDraft,
  theirsOf: (pointer: string) => string | undefined,
): Map<string, PresentComment> {
  const present = new Map<string, PresentComment>();
  for (const [pointer, text] of placedComments(base)) {
    const theirs = theirsOf(pointer);
    const run = theirs === undefined ? undefined : written.findGenerated(theirs, text);
    if (theirs !== undefined && run !== undefined) present.set(theirs, { ...run, text });
  }
  return present;
}

/**
 * What the generator has to say after a merge, by JSON pointers of the merged value: new comments, and others in the
 * place of those that are there as it wrote them. One that she changed or removed does not come back.
 */
export function mergedComments(
  { base, ours }: Drafts,
  written: WrittenContract,
  present: ReadonlyMap<string, PresentComment>,
  { phases }: MergedSteps,
  value: JsonObject,
): Map<string, string> {
  const before = placedComments(base);
  const now = placedComments(ours);
  const comments = new Map<string, string>();
  const add = (pointer: string, text: string | undefined): void => {
    if (text !== undefined && getAtPointer(value, pointer) !== undefined) comments.set(pointer, text);
  };
  for (const [pointer, text] of now) {
    if (!STEP.test(pointer)) add(pointer, replacing(text, before.get(pointer), present.get(pointer), written, pointer));
  }
  const [ofSteps, ofFile] = [bySteps(now), bySteps(present)];
  for (const [phase, steps] of phases) {
    steps.forEach((step, index) => {
      const to = `/${phase}/${index}`;
      for (const [inside, text] of ofSteps.get(step.ours ?? '') ?? []) {
        const theirs = step.theirs === undefined ? undefined : step.theirs + inside;
        const was = step.base === undefined ? undefined : before.get(step.base + inside);
        if (theirs === undefined) add(to + inside, text);
        else add(to + inside, replacing(text, was, present.get(theirs), written, theirs));
      }
      // Of a step that stays though the recording has it no more, so do the comments.
      if (step.ours !== undefined) return;
      for (const [inside, { text }] of ofFile.get(step.theirs ?? '') ?? []) add(to + inside, text);
    });
  }
  return comments;
}

const STEP = /^\/(?:setup|steps|cleanup)\/\d+(?=\/|$)/;

function replacing(
  text: string,
  before: string | undefined,
  present: PresentComment | undefined,
  written: WrittenContract,
  pointer: string,
): string | undefined {
  if (present !== undefined) return text;
  // She removed it or changed it; or it is there already, from a merge before.
  return before !== undefined || written.findGenerated(pointer, text) !== undefined ? undefined : text;
}

/** What is about steps, by the pointer of the step, with the pointers inside of it. */
function bySteps<About>(all: ReadonlyMap<string, About>): Map<string, [inside: string, about: About][]> {
  const found = new Map<string, [string, About][]>();
  for (const [pointer, about] of all) {
    const split = splitPointer(pointer);
    if (split === undefined) continue;
    const inStep = found.get(split.step) ?? [];
    inStep.push([split.inside, about]);
    found.set(split.step, inStep);
  }
  return found;
}

/** The step of a pointer and what is behind it; `undefined` for what is in no step. */
export function splitPointer(pointer: string): { readonly step: string; readonly inside: string } | undefined {
  const step = STEP.exec(pointer)?.[0];
  return step === undefined ? undefined : { step, inside: pointer.slice(step.length) };
}
