import { joinPointer, parsePointer } from '../../core/json/json-pointer';
import { equalJson, isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import { RUN_ID } from '../../formats/contract/contract';
import { placeholdersIn } from '../../formats/contract/placeholders';
import { fillRelativeTimes } from '../../formats/contract/relative-times';
import { readSource } from '../../openapi/read/read-source';
import type { SourceDocument } from '../../openapi/read/source-document';
import { type PlacedStep, stepsOf } from './align-steps';
import type { MergedStep, MergedSteps } from './merge-steps';
import { declarationsOf } from './names';
import type { ConflictReason, ValueMerge } from './three-way';

/** Something that is told of a merge, with its place in the merged text. */
export interface MergeNote {
  /** Name of the step, or its request where it has none; `undefined` for what is in no step. */
  readonly step: string | undefined;
  /** Below the step or the contract, as `expect.body.name`; empty for a step as a whole. */
  readonly property: string;
  /** 1-based; `undefined` for what is not in the file. */
  readonly line: number | undefined;
}

/** Hers stayed, and the recording says something else. */
export interface MergeConflict extends MergeNote {
  /** What the file has; `undefined` where it has nothing. */
  readonly theirs: JsonValue | undefined;
  /** What the recording says now; `undefined` where it has nothing any more. */
  readonly ours: JsonValue | undefined;
  /** `gone`: a step that she changed is not in the recording any more. */
  readonly reason: ConflictReason | 'gone';
}

/** A person's file with what a new recording says. */
export interface ContractMerge {
  readonly file: string;
  readonly text: string;
  /** Is the text another one than before? */
  readonly isChanged: boolean;
  /** What she changed, and steps that she removed. */
  readonly kept: readonly MergeNote[];
  readonly conflicts: readonly MergeConflict[];
  /** Properties of steps that she has too, and beside the steps, that are as the recording has them now. */
  readonly changed: readonly MergeNote[];
  /** New steps. */
  readonly added: readonly MergeNote[];
  /** Steps that the recording has no more. */
  readonly removed: readonly MergeNote[];
  /** Captures and variables that she gave another name, which everything generated follows. */
  readonly renamed: readonly { readonly from: string; readonly to: string }[];
  /** Placeholders whose value no step before them captures any more, and variables of the environment that nothing declares. */
  readonly unknown: readonly (MergeNote & { readonly name: string })[];
}

/** What a merge made. */
interface MergeOutcome {
  readonly value: JsonObject;
  readonly steps: MergedSteps;
  readonly file: string;
  /** The text as it was. */
  readonly theirs: string;
}

/**
 * What is told of a merge, with the places in its text.
 *
 * @throws Error for a text that is not read back as what was merged: a defect, and nothing is to be written
 */
export function reportMerge(text: string, { value, steps, file, theirs }: MergeOutcome): ContractMerge {
  const document = readSource(text, file);
  if (!equalJson(document.root, value))
    throw new Error(`The merged text of ${file} is not read back as what was merged`);
  const all = placedSteps(steps);
  const notes = new MergeNotes(document);
  const merges = [
    { merge: steps.about, at: '', step: undefined },
    ...all.flatMap(({ at, step }) => (step.merge === undefined ? [] : [{ merge: step.merge, at, step: step.value }])),
  ];
  const whole = (fate: MergedStep['fate']): MergeNote[] =>
    all.flatMap(({ at, step }) => (step.fate === fate ? [notes.of(step.value, at, [])] : []));
  const each = (kind: 'kept' | 'changed'): MergeNote[] =>
    merges.flatMap(({ merge, at, step }) => merge[kind].map(({ path }) => notes.of(step, at, path)));
  return {
    file,
    text,
    isChanged: text !== theirs,
    kept: [...each('kept'), ...whole('hers'), ...steps.deleted.map(goneNote)],
    conflicts: [
      ...merges.flatMap(({ merge, at, step }) => conflictsOf(merge, (path) => notes.of(step, at, path))),
      ...all.flatMap(({ at, step }): MergeConflict[] => {
        if (step.fate !== 'gone-but-edited') return [];
        return [{ ...notes.of(step.value, at, []), theirs: step.value, ours: undefined, reason: 'gone' }];
      }),
    ],
    changed: each('changed'),
    added: whole('new'),
    removed: steps.removed.map(goneNote),
    renamed: [...steps.names.given].map(([from, to]) => ({ from, to })),
    unknown: unknownNames(value, notes),
  };
}

class MergeNotes {
  private readonly document: SourceDocument;

  constructor(document: SourceDocument) {
    this.document = document;
  }

  /** @param path - names of properties below the pointer */
  of(step: JsonObject | undefined, pointer: string, path: readonly string[]): MergeNote {
    const place = this.document.locationOf(path.reduce(joinPointer, pointer));
    return { step: step && nameOf(step), property: path.join('.'), line: place?.line };
  }
}

function placedSteps({ phases }: MergedSteps): { readonly at: string; readonly step: MergedStep }[] {
  return [...phases].flatMap(([phase, steps]) => steps.map((step, index) => ({ at: `/${phase}/${index}`, step })));
}

function conflictsOf({ conflicts }: ValueMerge, note: (path: readonly string[]) => MergeNote): MergeConflict[] {
  return conflicts.map(({ path, theirs, ours, reason }) => ({ ...note(path), theirs, ours, reason }));
}

/** Of a step that is not in the file. */
function goneNote({ value }: PlacedStep): MergeNote {
  return { step: nameOf(value), property: '', line: undefined };
}

/** As reports of runs call a step. */
function nameOf({ name, operation, method = null, path = null }: JsonObject): string {
  return scalarText(name ?? operation ?? `${scalarText(method)} ${scalarText(path)}`);
}

/**
 * What reads a name that nothing before it gives a value to: a step that gave it may be gone. A time that is counted from
 * the beginning of the run is no name.
 */
function unknownNames(contract: JsonObject, notes: MergeNotes): ContractMerge['unknown'] {
  const steps = stepsOf(contract);
  const capturesOf = ({ value: { capture } }: PlacedStep): string[] =>
    isJsonObject(capture) ? Object.keys(capture) : [];
  const known = new Set([
    RUN_ID,
    ...declarationsOf(contract).flatMap((each) => (isJsonObject(each) ? Object.keys(each) : [])),
  ]);
  return steps.flatMap((step) => {
    const isLast = step.phase === 'cleanup';
    if (isLast) for (const name of steps.flatMap(capturesOf)) known.add(name);
    const missing = placeholdersIn(fillRelativeTimes(step.value, 0), '').filter(({ name }) => !known.has(name));
    for (const name of capturesOf(step)) known.add(name);
    return missing.map(({ name, pointer }) => ({ ...notes.of(step.value, step.pointer, parsePointer(pointer)), name }));
  });
}
