import { isJsonObject, type JsonObject, type JsonValue, ownProperty } from '../../core/json/json-value';
import { groupBy } from '../../core/text/group-by';
import { renamePlaceholders } from '../../formats/contract/placeholders';
import type { DraftComment } from './contract-draft';

type Draft = { readonly value: JsonObject; readonly comments: readonly DraftComment[] };

/** Numbers names that differ in their numbers alone, `bookId` and `bookId_2`, in the order in which the file shows them. */
export function inFileOrder({ value, comments }: Draft): Draft {
  const names = namesInOrder(value);
  const now = new Map(
    groupBy(names, stemOf).flatMap((group) => {
      const numbered = group.toSorted((one, other) => numberOf(one) - numberOf(other));
      return group.map((name, index): [string, string] => [name, numbered[index] ?? name]);
    }),
  );
  if ([...now].every(([name, other]) => name === other)) return { value, comments };
  const nameOf = (name: string): string => now.get(name) ?? name;
  const entries = Object.entries(value).map(([key, part]): [string, JsonValue] => {
    if (key === 'variables') return [key, withKeys(part, nameOf)];
    return [key, Array.isArray(part) ? part.map((step) => withCaptures(step, nameOf)) : part];
  });
  return {
    value: Object.fromEntries(entries.map(([key, part]) => [key, renamePlaceholders(part, now)])),
    comments: comments.map((comment) =>
      comment.pointer.endsWith('/capture')
        ? { ...comment, text: comment.text.replace(/^\w+(?=: )/gm, nameOf) }
        : comment,
    ),
  };
}

/** Names that the contract gives values: of variables and captures. */
function namesInOrder(value: JsonObject): string[] {
  const steps = [value['setup'] ?? [], value['steps'] ?? []].flat();
  const given = [value['variables'], ...steps.map((step) => (isJsonObject(step) ? step['capture'] : undefined))];
  return given.flatMap((names) => (isJsonObject(names) ? Object.keys(names) : []));
}

/** A name without the number behind it. */
export function stemOf(name: string): string {
  return name.replace(/_\d+$/, '');
}

function numberOf(name: string): number {
  return Number(/_(\d+)$/.exec(name)?.[1] ?? 1);
}

function withCaptures(step: JsonValue, nameOf: (name: string) => string): JsonValue {
  const capture = isJsonObject(step) ? ownProperty(step, 'capture') : undefined;
  return isJsonObject(step) && capture !== undefined ? { ...step, capture: withKeys(capture, nameOf) } : step;
}

function withKeys(value: JsonValue, nameOf: (name: string) => string): JsonValue {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, property]) => [nameOf(name), property]));
}
