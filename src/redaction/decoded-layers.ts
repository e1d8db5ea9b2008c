/**
 * A text with escapes read, one character for each byte of its UTF-8 form, and where in the text each byte stands: so
 * that something is found however often, and in however many ways, it was encoded.
 */
export interface Layer {
  readonly bytes: string;
  /** Where the character or the escape of byte `index` begins in the text. */
  startOf(index: number): number;
  /** Where it ends. */
  endOf(index: number): number;
}

/** Far more than percent-encoding twice inside a JSON string inside HTML, the most that anybody reports. */
const MOST_LAYERS = 32;

/** Each is read by itself: a key may hold what looks like an escape of one kind, and be escaped in another. */
const ESCAPES: readonly RegExp[] = [
  // RFC 3986 §2.1
  /%(?<hex>[\da-f]{2})/gi,
  // RFC 8259 §7, and those of JavaScript
  /\\u(?<high>d[89ab][\da-f]{2})\\u(?<low>d[c-f][\da-f]{2})|\\u(?<unit>[\da-f]{4})|\\x(?<hex>[\da-f]{2})|\\(?<plain>["'\\/])|\\(?<control>[bfnrt])/gi,
  // character references of HTML
  /&#x0*(?<hexref>[\da-f]{1,6});?|&#0*(?<ref>\d{1,7});?|&(?<name>[a-z]{2,7});/gi,
];
const CONTROLS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const NAMED: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", sol: '/', plus: '+', equals: '=', lowbar: '_', hyphen: '-' },
  ...{ period: '.', comma: ',', colon: ':', semi: ';', num: '#', percnt: '%', dollar: '$', excl: '!', bsol: '\\' },
  ...{ commat: '@', ast: '*', quest: '?', lpar: '(', rpar: ')', nbsp: '\u00a0' },
};

/**
 * The text itself, then with its escapes of each kind read, and those of what comes out, until there are none.
 *
 * @param from - a text, or bytes of one
 */
export function decodedLayers(from: string | Layer): Layer[] {
  const layers = [typeof from === 'string' ? plainLayer(from) : from];
  const known = new Set(layers.map(({ bytes }) => bytes));
  // The list grows while it is walked.
  for (const layer of layers) {
    // Nearly every text has none.
    if (!/[%\\&]/.test(layer.bytes)) continue;
    for (const escape of ESCAPES) {
      const next = layers.length < MOST_LAYERS ? decodeOnce(layer, escape) : undefined;
      if (next === undefined || known.has(next.bytes)) continue;
      known.add(next.bytes);
      layers.push(next);
    }
  }
  return layers;
}

function plainLayer(text: string): Layer {
  if (/^[\x00-\x7f]*$/.test(text)) return { bytes: text, startOf: (index) => index, endOf: (index) => index + 1 };
  return lazyLayer(toBytes(text), (add) => {
    let start = 0;
    for (const character of text) {
      add(toBytes(character).length, start, start + character.length);
      start += character.length;
    }
  });
}

/** @returns `undefined` when there is no escape */
function decodeOnce(layer: Layer, escape: RegExp): Layer | undefined {
  const { bytes } = layer;
  const decoded = bytes.replace(escape, (...found: unknown[]) => decodeEscape(found) ?? String(found[0]));
  if (decoded === bytes) return undefined;
  return lazyLayer(decoded, (add) => {
    let at = 0;
    const copyTo = (end: number): void => {
      for (; at < end; at++) add(1, layer.startOf(at), layer.endOf(at));
    };
    bytes.replace(escape, (...found: unknown[]) => {
      const [text, read] = [String(found[0]), decodeEscape(found)];
      if (read === undefined) return text;
      copyTo(Number(found.at(-3)));
      at += text.length;
      add(read.length, layer.startOf(at - text.length), layer.endOf(at - 1));
      return text;
    });
    copyTo(bytes.length);
  });
}

/** Tells of so many bytes where in the text they stand. */
type AddPosition = (count: number, start: number, end: number) => void;

/** Places are looked up only where something was found, which is rare. */
function lazyLayer(bytes: string, addPlaces: (add: AddPosition) => void): Layer {
  let places: { readonly starts: number[]; readonly ends: number[] } | undefined;
  const known = (): NonNullable<typeof places> => {
    if (places !== undefined) return places;
    const [starts, ends]: [number[], number[]] = [[], []];
    addPlaces((count, start, end) => {
      for (let rest = count; rest > 0; rest--) {
        starts.push(start);
        ends.push(end);
      }
    });
    return (places = { starts, ends });
  };
  return { bytes, startOf: (index) => known().starts[index] ?? 0, endOf: (index) => known().ends[index] ?? 0 };
}

/**
 * @param found - what `replace` hands over
 * @returns bytes; `undefined` for what only looks like an escape
 */
function decodeEscape(found: readonly unknown[]): string | undefined {
  const groups = found.at(-1) as Readonly<Record<string, string | undefined>>;
  const { hex, high, low, unit, plain, hexref, ref, name, control } = groups;
  if (hex !== undefined) return String.fromCharCode(parseHex(hex));
  if (plain !== undefined) return plain;
  if (control !== undefined) return CONTROLS[control.toLowerCase()];
  if (name !== undefined) return toBytes(NAMED[name.toLowerCase()]);
  if (high !== undefined && low !== undefined) return toBytes(String.fromCharCode(parseHex(high), parseHex(low)));
  if (unit !== undefined) return toBytes(String.fromCharCode(parseHex(unit)));
  const code = hexref === undefined ? Number(ref) : parseHex(hexref);
  return code <= 0x10ffff ? toBytes(String.fromCodePoint(code)) : undefined;
}

const parseHex = (text: string): number => Number.parseInt(text, 16);

/** One character for each byte of the UTF-8 form. */
export function toBytes(text: string): string;
export function toBytes(text: string | undefined): string | undefined;
export function toBytes(text: string | undefined): string | undefined {
  return text === undefined ? undefined : Buffer.from(text, 'utf8').toString('latin1');
}
