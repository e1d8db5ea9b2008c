import { parsePointer } from '../../core/json/json-pointer';
import { JsonSyntaxError } from '../../core/json/json-syntax-error';
import { equalJson } from '../../core/json/json-value';
import { parseJson } from '../../core/json/parse-json';
import { stringifyJsonPretty } from '../../core/json/stringify-json';
import type { ContractDraft } from '../contract/contract-draft';
import { contractText, headerText } from '../contract/contract-text';
import { editContract, type MergedContract } from './edit-contract';
import { mergedComments, presentComments, splitPointer } from './merge-comments';
import { matchSteps, mergedContract, type MergedSteps, mergeSteps, type StepMatches } from './merge-steps';
import { type ContractMerge, reportMerge } from './merge-report';
import { WrittenContract } from './written-contract';
import { isBlock } from './written-tree';

/** The three versions of a contract. */
export interface ContractVersions {
  /** What was generated the last time. */
  readonly base: ContractDraft;
  /** The text of the file as it is now, with what a person changed in it. */
  readonly theirs: string;
  /** What is generated now. */
  readonly ours: ContractDraft;
  /** Path of the file, for messages. */
  readonly file: string;
}

/**
 * Merges what is generated now into a file that a person may have edited since it was generated. What she changed, added
 * and removed stays as it is, to the comments, quotes and blank lines; what only the recording changed is taken from it,
 * in its place. Where both changed the same differently, hers stays and the conflict is told.
 *
 * A file that is as it was generated becomes what {@link contractText} makes of the new draft. Merging the result again
 * changes nothing.
 *
 * @throws ContractError `CONTRACT_INVALID` for a file that is no contract (any more), with every place
 */
export function mergeContract({ base, theirs, ours, file }: ContractVersions): ContractMerge {
  const written = new WrittenContract(theirs, file);
  const versions = { base: base.value, theirs: written.value, ours: ours.value };
  const matches = matchSteps(versions);
  const present = presentComments(written, base, (pointer) => inFile(pointer, matches));
  const header = written.findHeader(headerText(base.header));
  const steps = mergeSteps(versions, matches, written);
  const value = mergedContract(versions, steps, written);
  if (steps.phases.get('steps')?.length === 0) {
    const message =
      'No step would be left: the recording has none of these any more, and those that it has were removed here';
    throw written.rejected('/steps', message, 'a step that both have');
  }
  const comments = mergedComments({ base, ours }, written, present, steps, value);
  const merged: MergedContract = {
    value,
    places: placesOf(steps),
    comments,
    present,
    names: new Map([...steps.names.theirs.values]),
    header: header && { run: header, text: headerText(ours.header) },
  };
  const text = mergedText(written, merged, { base, ours });
  return reportMerge(withLineEnds(text, written, theirs), { value, steps, file, theirs });
}

function mergedText(
  written: WrittenContract,
  merged: MergedContract,
  { base, ours }: Pick<ContractVersions, 'base' | 'ours'>,
): string {
  const { value, comments, present } = merged;
  const isBraces = !isBlock(written.tree.get('')?.node);
  if (isBraces && equalJson(value, written.value)) return written.text;
  if (isBraces && isJson(written.text)) return `${stringifyJsonPretty(value)}\n`;
  const asGenerated = { value: written.value, header: base.header, comments: listOf(present, ({ text }) => text) };
  if (contractText(asGenerated) === written.text) {
    return contractText({ value, header: ours.header, comments: listOf(comments, (comment) => comment) });
  }
  if (!isBraces) return editContract(written, merged);
  throw written.rejected('', 'The whole contract stands in braces, and is no JSON', 'a line for each property');
}

/** JSON has no comments: all that there is of it is its value. */
function isJson(text: string): boolean {
  try {
    parseJson(text);
    return true;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return false;
    throw error;
  }
}

function listOf<Value>(
  comments: ReadonlyMap<string, Value>,
  textOf: (value: Value) => string,
): ContractDraft['comments'] {
  return [...comments].map(([pointer, value]) => ({ pointer, text: textOf(value) }));
}

/** The JSON pointer in the file of one in base; `undefined` where a step is not there any more. */
function inFile(pointer: string, { inTheirs }: StepMatches): string | undefined {
  const split = splitPointer(pointer);
  if (split === undefined) return pointer;
  const step = inTheirs.get(split.step);
  return step && step.pointer + split.inside;
}

function placesOf({ phases }: MergedSteps): MergedContract['places'] {
  return new Map(
    [...phases].map(([phase, steps]) => [
      phase,
      steps.map(({ theirs }) => (theirs === undefined ? undefined : Number(parsePointer(theirs)[1]))),
    ]),
  );
}

/** As the file has them; one that nothing changes in stays as it is to the last line. */
function withLineEnds(text: string, written: WrittenContract, theirs: string): string {
  if (text === written.text) return theirs;
  const isWindows = (theirs.match(/\r\n/g)?.length ?? 0) * 2 > written.text.split('\n').length;
  return isWindows ? text.replaceAll('\n', '\r\n') : text;
}
