import type { Mask } from './redact-body';
import type { SecretMembers } from './secret-members';

/** `name=`, `name: `, `"name": `, and what may come behind it: the value ends where its quotes do, or at a gap. */
const NAME = /([\w.-]{2,60})["']?[ \t]{0,4}[=:][ \t]{0,4}/g;
const VALUE = /(["']?)((?<=")(?:[^"\\]|\\.)*|(?<=')[^']*|[^\s"'&<>,;}\]]+)/y;
/** A field of a web page, whose name and value are two attributes. */
const FIELD = /(name=["']([\w.-]{2,60})["'][^<>]{0,100}?value=["'])([^"']+)/g;
const ELEMENT = /(<(?:[\w-]{1,30}:)?([\w.-]{2,60})(?:\s[^<>]{0,200})?>)([^<>]+)(?=<\/)/g;
/** A part of a multipart body (RFC 7578 §4.2). */
const PART =
  /(name="([^"\r\n]{1,80})"[^\r\n]{0,200}(?:\r?\n[^\r\n]{1,200}){0,5}\r?\n\r?\n)([\s\S]*?)(?=\r?\n--|$(?![\s\S]))/g;

/** A text of no grammar that could be read, without what stands beside the names of secrets. */
export function redactText(text: string, members: SecretMembers, mask: Mask): string {
  const byName = (whole: string, head: string, name: string, value: string): string =>
    members.has(name) ? `${head}${mask(value)}` : whole;
  return redactPairs(text.replace(PART, byName).replace(FIELD, byName).replace(ELEMENT, byName), members, mask);
}

function redactPairs(text: string, members: SecretMembers, mask: Mask): string {
  let shown = '';
  let done = 0;
  for (const { index, 0: head, 1: name = '' } of text.matchAll(NAME)) {
    VALUE.lastIndex = index + head.length;
    const [whole, quote = '', value = ''] = (index >= done && members.has(name) && VALUE.exec(text)) || [];
    if (whole === undefined) continue;
    const start = index + head.length + quote.length;
    shown += `${text.slice(done, start)}${mask(value)}`;
    done = start + value.length;
  }
  return shown + text.slice(done);
}
