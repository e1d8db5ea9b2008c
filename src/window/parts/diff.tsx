import { type JSX } from 'preact';
import { equalJson, isJsonObject, type JsonValue } from '../../core/json/json-value';
import { stringifyJson } from '../../core/json/stringify-json';
import { counted } from './text';

interface DiffLine {
  readonly kind: 'added' | 'removed' | 'same';
  readonly path: string;
  readonly text: string;
}

const MOST_LINES = 400;
const LONGEST_TEXT = 2000;

/** What became of a value, property by property: lines with a minus and a plus, in that order where both are there. */
export function DiffView({ before, after }: { before: JsonValue | null; after: JsonValue | null }): JSX.Element {
  const lines = diffLines(before, after);
  const changed = lines.filter(({ kind }) => kind !== 'same');
  const [first, ...same] = lines.filter(({ kind }) => kind === 'same');
  const shown = changed.slice(0, MOST_LINES);
  return (
    <div class="diff">
      {first !== undefined && changed.length > 0 && (
        // Which of many it is: mostly its key.
        <div class="diff-line">
          <span class="quiet">
            {first.path}: {first.text}
          </span>
        </div>
      )}
      {shown.map(({ kind, path, text }) => (
        <div key={`${kind} ${path}`} class={`diff-line diff-${kind}`}>
          <span class="diff-mark" aria-hidden="true">
            {kind === 'added' ? '+' : '−'}
          </span>
          <span class="off-screen">{kind === 'added' ? 'now' : 'before'} </span>
          {path !== '' && <span class="json-name">{path}: </span>}
          {text}
        </div>
      ))}
      {changed.length > shown.length && <p class="quiet">and {counted(changed.length - shown.length, 'other line')}</p>}
      {changed.length === 0 && <p class="quiet">Nothing in it changed.</p>}
      {same.length > 0 && changed.length > 0 && (
        <p class="quiet">{counted(same.length, 'other property is', 'other properties are')} as before.</p>
      )}
    </div>
  );
}

function diffLines(before: JsonValue | null, after: JsonValue | null, path = ''): DiffLine[] {
  if (path !== '' && equalJson(before, after)) return [{ kind: 'same', path, text: shortText(before) }];
  if (isJsonObject(before) && isJsonObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => propertyLines(before[name], after[name], path === '' ? name : `${path}.${name}`));
  }
  if (path !== '') return propertyLines(before, after, path, true);
  // A whole row that came or went is shown property by property as well.
  const row = before ?? after;
  if (!isJsonObject(row)) return [];
  const kind = before === null ? 'added' : 'removed';
  return Object.entries(row).map(([name, value]) => ({ kind, path: name, text: shortText(value) }));
}

function propertyLines(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  path: string,
  isLeaf = false,
): DiffLine[] {
  if (!isLeaf && before !== undefined && after !== undefined) return diffLines(before, after, path);
  const lines: DiffLine[] = [];
  if (before !== undefined) lines.push({ kind: 'removed', path, text: shortText(before) });
  if (after !== undefined) lines.push({ kind: 'added', path, text: shortText(after) });
  return lines;
}

function shortText(value: JsonValue): string {
  const text = stringifyJson(value);
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}
