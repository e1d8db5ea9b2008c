import type { CheckFinding } from '../../../core/errors/finding';
import { previewText } from '../../../core/json/stringify-json';
import { errorRole } from '../../../openapi/view/responses';
import { type ObservedResponse, type ResponseCheck, stringsIn, textOfBody } from '../../response-check';

/** An error tells the client what to do about it, and nobody what the server is made of. */
export const internals: ResponseCheck = {
  id: 'internals',
  area: 'errors',
  source: 'WFC 209; RFC 9457 §5; OWASP API Security Top 10 2023, API8',
  basis: 'http',
  run(observed) {
    const { status, body } = observed;
    if (status < 400 || body.kind === 'empty') return undefined;
    if (body.kind === 'not-json') return checkText(observed);
    const findings: CheckFinding[] = [];
    for (const { pointer, text, property } of stringsIn(body.value)) {
      const role = property === undefined ? undefined : errorRole(property);
      // A code may be the name of a class that clients know.
      const slip = role === 'code' ? undefined : internalDetail(text);
      if (slip !== undefined) findings.push(finding(observed, pointer, `The error holds ${slip}`, text));
      else if (role === 'message' && containsHtml(text)) {
        findings.push(finding(observed, pointer, 'The message is written in HTML', text));
      }
    }
    return findings;
  },
};

/** That it should have been JSON is for `error-contract`. */
function checkText(observed: ObservedResponse): CheckFinding[] {
  const text = textOfBody(observed);
  const slip = internalDetail(text);
  return slip === undefined ? [] : [finding(observed, '', `The error holds ${slip}`, text)];
}

function finding(
  { documented, operation }: ObservedResponse,
  pointer: string,
  message: string,
  text: string,
): CheckFinding {
  return {
    at: `/response/body${pointer}`,
    message,
    expected: 'words for the client, in plain text',
    actual: previewText(text),
    spec: documented?.pointer ?? operation?.pointer,
    hint: 'Log it, and respond with what the client can do.',
  };
}

/** A sign of text that was written for developers of the server, and what it is called in a finding. */
interface Signature {
  readonly name: string;
  readonly pattern: RegExp;
}

/** Each is found by something fixed, and what it repeats is bounded: a long text is read a few times and no more. */
const SIGNATURES: readonly Signature[] = [
  { name: 'a place in a script', pattern: /\.[cm]?[jt]sx?:\d{1,7}:\d{1,7}\b|\bnode:[\w/]{1,80}:\d{1,7}:\d{1,7}\b/ },
  {
    name: 'an error of JavaScript',
    pattern:
      /Cannot (?:read|set) propert(?:y|ies) (?:\(reading \S{1,80}\) )?(?:'[^'\n]{0,80}' )?of (?:undefined|null)\b/,
  },
  {
    name: 'a stack frame of Java',
    pattern: /\bat [\w$.]{1,200}[\w$>]\((?:\w{1,80}\.(?:java|kt|scala|groovy)|Native Method|Unknown Source)/,
  },
  {
    name: 'an exception of Java',
    pattern: /\b(?:javax?|jakarta|kotlin|scala|org|com)\.[a-z][\w.$]{0,200}(?:Exception|Error)\b/,
  },
  {
    name: 'a stack trace of Python',
    pattern: /Traceback \(most recent call last\)|\bFile "[^"\n]{1,200}\.py", line \d/,
  },
  { name: 'an error of Python', pattern: /'NoneType' object (?:has no attribute|is not )/ },
  { name: 'a stack frame of .NET', pattern: /\) in [^\n:]{0,3}:?[^\n:]{1,200}:line \d/ },
  {
    name: 'an exception of .NET',
    pattern: /\b(?:System|Microsoft)\.[A-Z][\w.]{0,200}Exception\b|Object reference not set to an instance/,
  },
  { name: 'a place in a PHP script', pattern: /\.php(?:\(\d+\)|:\d+\b| on line \d)|\bPHP (?:Fatal|Parse) error:/ },
  {
    name: 'a stack trace of Go',
    pattern: /\bgoroutine \d+ \[|\bpanic: runtime error|nil pointer dereference|\w\.go:\d+\b/,
  },
  { name: 'a stack frame of Ruby', pattern: /\.rb:\d+:in [`']/ },
  { name: 'a panic of Rust', pattern: /\bpanicked at '|\bpanicked at \S{1,200}\.rs:\d/ },
  {
    name: 'an error of SQL',
    pattern: /\bSQLSTATE\b|\bORA-\d{5}\b|\bSQLITE_(?:ERROR|CONSTRAINT|BUSY|CORRUPT|MISMATCH)/,
  },
  { name: 'an error of SQL', pattern: /You have an error in your SQL syntax|\bsyntax error at or near "/i },
  {
    name: 'an error of SQL',
    pattern: /violates (?:unique|foreign key|check|not-null) constraint|constraint failed: \w+\.\w/i,
  },
  {
    name: 'an error of SQL',
    pattern: /Duplicate entry '[^'\n]{0,200}' for key|Unclosed quotation mark after the character string/,
  },
  {
    name: 'a statement of SQL',
    pattern: /\bSELECT \S[^\n;]{0,200} FROM \w|\bINSERT INTO \w+ ?\(|\bDELETE FROM \w+ WHERE\b|\bUPDATE \w+ SET \w/,
  },
  { name: 'an address inside the system', pattern: /\b(?:ECONNREFUSED|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)\b/ },
];

const HTML =
  /<(?:!doctype html|\/?(?:html|head|body|title|h[1-6]|p|pre|div|span|br|hr|center|table|script|style))(?:\s[^<>]{0,200})?\/?>/i;

/** Longer texts are looked at up to here: what a server lets slip stands at the beginning. */
const MAX_SCANNED = 65_536;

/** What a text lets slip about the inside of the server; `undefined` when nothing was recognised. */
function internalDetail(text: string): string | undefined {
  const beginning = text.slice(0, MAX_SCANNED);
  return SIGNATURES.find(({ pattern }) => pattern.test(beginning))?.name;
}

/** Does a text hold tags of HTML pages? */
function containsHtml(text: string): boolean {
  return HTML.test(text.slice(0, MAX_SCANNED));
}
