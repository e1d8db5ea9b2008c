import type { JsonValue } from '../../../core/json/json-value';
import { MAX_DEPTH, parseJson } from '../../../core/json/parse-json';
import { stringifyJsonPretty } from '../../../core/json/stringify-json';
import type { ForcedResponse } from '../../../server/actions/shapes';

/** What an operation is to answer, as it is typed. */
export interface Choice {
  /** `''`: as it answers naturally. */
  readonly status: string;
  readonly example: string;
  /** JSON; `''` for the documented one. */
  readonly body: string;
  /** A line each, `Name: value`. */
  readonly headers: string;
  readonly delayMs: string;
  readonly fault: string;
  /** `''`: until it is removed. */
  readonly times: string;
  readonly violates: boolean;
  readonly inAll: boolean;
}

const NOTHING: Choice = {
  status: '',
  example: '',
  body: '',
  headers: '',
  delayMs: '',
  fault: '',
  times: '',
  violates: false,
  inAll: false,
};

/** What was chosen before, to be changed. How often it is still to happen is chosen anew. */
export function choiceOf(forced: ForcedResponse | undefined): Choice {
  if (forced === undefined) return NOTHING;
  const { status, example, body, headers, delayMs, fault, isViolation, sandbox } = forced;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return {
    ...NOTHING,
    status: status?.toString() ?? '',
    example: example ?? '',
    body: body === null ? '' : stringifyJsonPretty(body),
    headers: lines.join('\n'),
    delayMs: delayMs === 0 ? '' : String(delayMs),
    fault: fault ?? '',
    violates: isViolation,
    inAll: sandbox === '*',
  };
}

/** Options of `PUT /responses`. `problem`: what cannot be read as what it is to be, before anything is sent. */
export function optionsOf(choice: Choice): {
  readonly options: Readonly<Record<string, JsonValue>>;
  readonly problem: string | undefined;
} {
  const options: Record<string, JsonValue> = {};
  try {
    for (const [name, read] of Object.entries(READERS)) {
      const value = read(choice);
      if (value !== undefined) options[name] = value;
    }
    return { options, problem: undefined };
  } catch (error) {
    return { options, problem: error instanceof Error ? error.message : String(error) };
  }
}

type Reader = (choice: Choice) => JsonValue | undefined;

/** Each option by its name; what is empty is left out. */
const READERS: Readonly<Record<string, Reader>> = {
  status: ({ status }) => numberOf(status),
  example: ({ example, body }) => (body === '' ? textOf(example) : undefined),
  body: ({ body }) => (body === '' ? undefined : jsonOf(body)),
  headers: ({ headers }) => fieldsOf(headers),
  delayMs: ({ delayMs }) => numberOf(delayMs),
  fault: ({ fault }) => textOf(fault),
  times: ({ times }) => numberOf(times),
  violates: ({ violates }) => (violates ? true : undefined),
};

function textOf(text: string): string | undefined {
  return text === '' ? undefined : text;
}

/** What is no number is sent as it is: the mock says what it expected. */
function numberOf(text: string): JsonValue | undefined {
  if (text === '') return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}

function jsonOf(text: string): JsonValue {
  try {
    return parseJson(text, { maxDepth: MAX_DEPTH, maxNumberLength: 100_000 });
  } catch (error) {
    throw new Error(`The body is no JSON: ${error instanceof Error ? error.message : ''}`, { cause: error });
  }
}

function fieldsOf(text: string): JsonValue | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const fields = lines.map((line): [string, string] => {
    const at = line.indexOf(':');
    if (at < 1) throw new Error(`A header is written "Name: value", not "${line}"`);
    return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
  });
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
}
