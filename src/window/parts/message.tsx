import { type JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { JsonValue } from '../../core/json/json-value';
import { MAX_DEPTH, parseJson } from '../../core/json/parse-json';
import { stringifyJsonPretty } from '../../core/json/stringify-json';
import type { RecordedBody } from '../../server/actions/shapes';
import { CopyButton } from './copy-button';
import { indentJson } from './indent-json';
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

interface BodyViewProps {
  readonly body: RecordedBody;
  readonly label: string;
  /** Of the same message: they say what a body is that is no text. */
  readonly headers: readonly string[];
}

/** JSON as a tree, any other text as it is, and in words what is no text. */
export function BodyView({ body, label, headers }: BodyViewProps): JSX.Element {
  const { text, size, isCut, isUnread } = body;
  const value = useMemo(() => (text === null || isCut ? undefined : jsonOf(text)), [text, isCut]);
  if (isUnread) return <p class="quiet">The mock did not read the body: its response did not depend on it.</p>;
  if (text === null || text === '')
    return <p class="quiet">{size === 0 ? 'No body.' : `${sizeText(size)}${kindText(headers)}, no text.`}</p>;
  return (
    <div class="body">
      <div class="body-bar">
        <span class="quiet">
          {isCut ? `the beginning of ${sizeText(size)}; the mock does not remember the rest` : sizeText(size)}
        </span>
        <CopyButton about={label} text={() => (value === undefined ? text : stringifyJsonPretty(value))} />
      </div>
      {value === undefined ? (
        <LongText text={isCut ? indentedJson(text) : text} label={label} />
      ) : (
        <JsonView value={value} label={label} />
      )}
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

/** ` of image/png`, ` of application/json in gzip`. */
function kindText(headers: readonly string[]): string {
  const [type, coding] = ['content-type', 'content-encoding'].map((wanted) => {
    const at = headers.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === wanted);
    return at === -1 ? undefined : headers[at + 1];
  });
  return `${type === undefined ? '' : ` of ${type}`}${coding === undefined ? '' : ` in ${coding}`}`;
}

/** Of what may be the beginning of JSON. */
function indentedJson(text: string): string {
  return /^\s*[[{]/.test(text) ? indentJson(text) : text;
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
