/** How a value may be written, by the name that a message has for it. */
export const ENCODINGS: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  'percent-encoded': encodeURIComponent,
  'percent-encoded as in a form': (text) => new URLSearchParams([['', text]]).toString().slice(1),
  'percent-encoded, each byte': (text) =>
    Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  'JSON-escaped': (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
  'JSON-escaped, all of it': (text) =>
    Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  'escaped as in HTML': (text) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
  base64: (text) => Buffer.from(text).toString('base64'),
  'base64 behind one byte': (text) => Buffer.from(`:${text}:`).toString('base64'),
  'base64 behind two bytes': (text) => Buffer.from(`a:${text}:x`).toString('base64'),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  hexadecimal: (text) => Buffer.from(text).toString('hex'),
  'hexadecimal, upper case': (text) => Buffer.from(text).toString('hex').toUpperCase(),
};
