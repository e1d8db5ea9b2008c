import { type JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { JsonValue } from '../../core/json/json-value';
import { MAX_DEPTH, parseJson } from '../../core/json/parse-json';
import { stringifyJsonPretty } from '../../core/json/stringify-json';
import type { RecordedBody } from '../../server/actions/shapes';
import { CopyButton } from './copy-button';
import { JsonView } from './json-view';
import { counted, sizeText } from './text';

/** Names and values by turns, as they came. */
export function HeaderTable({ headers, label }: { headers: readonly string[]; label: string }): JSX.Element {
  if (headers.length === 0) return <p class="quiet">No header fields.</p>;
  const rows = Array.from({ length: Math.floor(headers.length / 2) }, (_, index) => index * 2);
  return (
    <table class="headers" aria-label={label}>
      <tbody>
        {rows.map((at) => (
          <tr key={at}>
            <th scope="row">{headers[at]}</th>
            <td>{headers[at + 1]}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** JSON as a tree, any other text as it is, and in words what is no text. */
export function BodyView({ body, label }: { body: RecordedBody; label: string }): JSX.Element {
  const { text, size, isCut, isUnread } = body;
  const value = useMemo(() => (text === null || isCut ? undefined : jsonOf(text)), [text, isCut]);
  if (isUnread) return <p class="quiet">The mock did not read the body: its response did not depend on it.</p>;
  if (text === null || text === '')
    return <p class="quiet">{size === 0 ? 'No body.' : `${sizeText(size)} that are no text.`}</p>;
  return (
    <div class="body">
      <div class="body-bar">
        <span class="quiet">{isCut ? `the beginning of ${sizeText(size)}` : sizeText(size)}</span>
        <CopyButton about={label} text={() => (value === undefined ? text : stringifyJsonPretty(value))} />
      </div>
      {value === undefined ? <LongText text={text} label={label} /> : <JsonView value={value} label={label} />}
    </div>
  );
}

/** @returns `undefined` for a text that is no JSON: JSON null is a value */
export function jsonOf(text: string): JsonValue | undefined {
  if (!/^[\s\uFEFF]*[[{"\d\-tfn]/.test(text)) return undefined;
  try {
    return parseJson(text, { maxDepth: MAX_DEPTH, maxNumberLength: 100_000 });
  } catch {
    return undefined;
  }
}

const TEXT_AT_ONCE = 20_000;

/** A text of any length, its beginning first. */
function LongText({ text, label }: { text: string; label: string }): JSX.Element {
  const [most, setMost] = useState(TEXT_AT_ONCE);
  return (
    <>
      <pre class="text" role="group" aria-label={label} tabIndex={0}>
        {text.slice(0, most)}
      </pre>
      {text.length > most && (
        <button
          type="button"
          class="link"
          onClick={() => {
            setMost(most + TEXT_AT_ONCE);
          }}
        >
          show more of {counted(text.length, 'character')}
        </button>
      )}
    </>
  );
}
