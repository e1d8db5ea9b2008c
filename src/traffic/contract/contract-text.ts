import { getAtPointer, parentPointer, parsePointer } from '../../core/json/json-pointer';
import { isJsonObject } from '../../core/json/json-value';
import { printableLines } from '../../core/text/printable';
import type { ContractDraft } from './contract-draft';
import { contractNode, nodeLayout, printNode } from './contract-nodes';

/**
 * A draft as the text of its file, as a person would have written it. It reads back to the same value.
 *
 * @throws Error for a comment about something that the value does not have: a defect of who made the draft
 */
export function contractText({ value, header, comments }: ContractDraft): string {
  const layout = nodeLayout(placedComments({ value, comments }));
  return printNode(contractNode(value, '', { inline: 0, block: 0 }, layout), headerText(header));
}

/** The lines before everything: first the one by which editors find the schema, and apart from it the others. */
export function headerText(header: readonly string[]): string {
  const isOfEditor = (line: string): boolean => line.startsWith('yaml-language-server:');
  const first = header.filter(isOfEditor);
  const rest = header.filter((line) => !isOfEditor(line));
  const hasBoth = first.length > 0 && rest.length > 0 && rest[0] !== '';
  return asComment([...first, ...(hasBoth ? [''] : []), ...rest].join('\n'));
}

/**
 * The comments by the JSON pointer of what they stand before. One about the first property of an item of a list stands
 * before the item: between a dash and what belongs to it nobody looks for it.
 *
 * @throws Error for a comment about something that the value does not have
 */
export function placedComments({ value, comments }: Pick<ContractDraft, 'value' | 'comments'>): Map<string, string> {
  const placed = new Map<string, string>();
  for (const { pointer, text } of comments) {
    if (getAtPointer(value, pointer) === undefined) {
      throw new Error(`A comment is about ${JSON.stringify(pointer)}, which the contract does not have`);
    }
    const at = placeOf(pointer, value);
    const before = placed.get(at);
    placed.set(at, before === undefined ? asComment(text) : `${before}\n${asComment(text)}`);
  }
  return placed;
}

/** As it stands in a file: without characters that do something instead of being seen, and spaces at the ends of lines. */
function asComment(text: string): string {
  return printableLines(text).replace(/[^\S\n]+$/gm, '');
}

function placeOf(pointer: string, value: ContractDraft['value']): string {
  const above = parentPointer(pointer);
  const list = above === undefined ? undefined : parentPointer(above);
  if (above === undefined || list === undefined || !Array.isArray(getAtPointer(value, list))) return pointer;
  const item = getAtPointer(value, above);
  const isFirst = isJsonObject(item) && Object.keys(item)[0] === parsePointer(pointer).at(-1);
  return isFirst ? above : pointer;
}
