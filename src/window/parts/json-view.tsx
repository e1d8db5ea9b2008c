import { type JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { isJsonNumber } from '../../core/json/exact-number';
import { joinPointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonValue } from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import { counted } from './text';

/** Values that are open at first, over the whole tree. */
const OPEN_AT_FIRST = 300;
/** Properties or elements that one click adds. */
const CHILDREN_AT_ONCE = 100;
/** Characters of a string that are shown at first, and that one more click adds. */
const TEXT_AT_FIRST = 400;
const TEXT_AT_ONCE = 20_000;

type Child = readonly [name: string | number, value: JsonValue];

/**
 * A JSON value as a tree that folds, every digit as it is. However large the value is, only a few hundred of its values
 * are built at once.
 *
 * @param value - another value needs another `key`
 */
export function JsonView({ value, label }: { value: JsonValue; label: string }): JSX.Element {
  const open = useMemo(() => openAtFirst(value), [value]);
  return (
    <div class="json" role="group" aria-label={label}>
      <JsonNode value={value} pointer="" open={open} />
    </div>
  );
}

/** Level by level, so that of a large value the outline is seen. */
function openAtFirst(root: JsonValue): ReadonlySet<string> {
  const open = new Set<string>();
  let built = 0;
  const pending: (readonly [pointer: string, value: JsonValue])[] = [['', root]];
  for (const [pointer, value] of pending) {
    const count = childCount(value);
    if (count === 0) continue;
    const shown = Math.min(count, CHILDREN_AT_ONCE);
    if (pointer !== '' && built + shown > OPEN_AT_FIRST) continue;
    built += shown;
    open.add(pointer);
    for (const [name, child] of childrenOf(value, shown)) pending.push([joinPointer(pointer, name), child]);
  }
  return open;
}

function childCount(value: JsonValue): number {
  if (Array.isArray(value)) return value.length;
  return isJsonObject(value) ? Object.keys(value).length : 0;
}

function childrenOf(value: JsonValue, most: number): Child[] {
  if (Array.isArray(value)) return value.slice(0, most).map((child, index) => [index, child]);
  if (!isJsonObject(value)) return [];
  return Object.keys(value)
    .slice(0, most)
    .map((name) => [name, value[name] ?? null]);
}

interface NodeProps {
  readonly name?: string | number;
  readonly value: JsonValue;
  readonly pointer: string;
  readonly open: ReadonlySet<string>;
}

function JsonNode({ name, value, pointer, open }: NodeProps): JSX.Element {
  const [isOpen, setOpen] = useState(() => open.has(pointer));
  const [most, setMost] = useState(CHILDREN_AT_ONCE);
  const count = childCount(value);
  if (count === 0) {
    return (
      <div class="json-line">
        <JsonName name={name} />
        <JsonScalar value={value} />
      </div>
    );
  }
  const isList = Array.isArray(value);
  const [first, last] = isList ? '[]' : '{}';
  return (
    <>
      <div class="json-line">
        <button
          type="button"
          class="json-fold"
          aria-expanded={isOpen}
          onClick={() => {
            setOpen(!isOpen);
          }}
        >
          <JsonName name={name} />
          <span class="json-mark">{isOpen ? first : `${first ?? ''}…${last ?? ''}`}</span>
          <span class="json-count">{isList ? counted(count, 'item') : counted(count, 'property', 'properties')}</span>
        </button>
      </div>
      {isOpen && (
        <div class="json-children">
          {childrenOf(value, most).map(([childName, child]) => (
            <JsonNode
              key={childName}
              name={childName}
              value={child}
              pointer={joinPointer(pointer, childName)}
              open={open}
            />
          ))}
          {count > most && (
            <button
              type="button"
              class="link json-more"
              onClick={() => {
                setMost(most + CHILDREN_AT_ONCE);
              }}
            >
              show {Math.min(CHILDREN_AT_ONCE, count - most)} more of {counted(count - most, 'other')}
            </button>
          )}
        </div>
      )}
      {isOpen && <div class="json-line json-mark">{last}</div>}
    </>
  );
}

const PLAIN_NAME = /^[A-Za-z_$][\w$-]*$/;

function JsonName({ name }: { name: string | number | undefined }): JSX.Element | null {
  if (name === undefined) return null;
  const text = typeof name === 'number' || PLAIN_NAME.test(name) ? String(name) : JSON.stringify(name);
  return <span class={typeof name === 'number' ? 'json-index' : 'json-name'}>{text}: </span>;
}

function JsonScalar({ value }: { value: JsonValue }): JSX.Element {
  if (typeof value === 'string') return <JsonString text={value} />;
  if (Array.isArray(value)) return <span class="json-mark">[]</span>;
  if (isJsonNumber(value)) return <span class="json-number">{scalarText(value)}</span>;
  return (
    <span class={isJsonObject(value) ? 'json-mark' : 'json-word'}>{isJsonObject(value) ? '{}' : String(value)}</span>
  );
}

function JsonString({ text }: { text: string }): JSX.Element {
  const [most, setMost] = useState(TEXT_AT_FIRST);
  const shown = JSON.stringify(text.slice(0, most));
  if (text.length <= most) return <span class="json-string">{shown}</span>;
  return (
    <>
      <span class="json-string">{shown.slice(0, -1)}…</span>{' '}
      <button
        type="button"
        class="link"
        onClick={() => {
          setMost(most + TEXT_AT_ONCE);
        }}
      >
        show more of {counted(text.length, 'character')}
      </button>
    </>
  );
}
