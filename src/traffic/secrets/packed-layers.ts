import { decodedLayers, type Layer } from '../../redaction/decoded-layers';

type Packing = 'base64' | 'hex';

/** A reading of a text, and by which packing it was reached. */
interface PackedLayer {
  readonly layer: Layer;
  readonly packing: Packing | undefined;
}

/** What is looked for in unpacked bytes. */
export interface Unpacking {
  /** May bytes, the first so many of an array, hold something that is looked for? Else they are not read. */
  readonly mayMatter: (bytes: Uint8Array, length: number) => boolean;
  /** Characters that look packed, and of which no unpacking matters: words come again and again. */
  readonly harmless: Set<string>;
}

const LONGEST_REMEMBERED = 64;
const MOST_REMEMBERED = 2000;

interface PackingKind {
  readonly packing: Packing;
  /** That each character holds. */
  readonly bits: number;
  /** How many characters there can be before the bytes begin: what stands there may only look packed, as in `token/…`. */
  readonly most: number;
  /** The shortest run that holds the shortest secret that is looked for, 6 bytes, in an encoding of its own. */
  readonly shortest: number;
  /** What a character stands for, by its code; {@link NONE} for all others. */
  readonly values: Uint8Array;
}

const NONE = 255;

const BASE64: PackingKind = {
  packing: 'base64',
  bits: 6,
  most: 4,
  shortest: 9,
  // RFC 4648 §4 and §5
  values: valuesOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', '-_', 62),
};
/** Its characters are some of those of base64: its runs lie within runs of that. */
const HEX: PackingKind = {
  packing: 'hex',
  bits: 4,
  most: 2,
  shortest: 14,
  values: valuesOf('0123456789abcdef', 'ABCDEF', 10),
};

function valuesOf(alphabet: string, others: string, firstOther: number): Uint8Array {
  const values = new Uint8Array(256).fill(NONE);
  Array.from(alphabet).forEach((character, value) => (values[character.charCodeAt(0)] = value));
  Array.from(others).forEach((character, value) => (values[character.charCodeAt(0)] = firstOther + value));
  return values;
}

/**
 * Every reading of a text in which a secret could stand: its escapes read (see {@link decodedLayers}), then what is
 * base64 (RFC 4648 §4, §5) or hexadecimal digits there unpacked, then the escapes in that. So a secret is met that was
 * encoded twice in any way; a third time, where the outermost are escapes.
 */
export function packedLayers(text: string, unpacking: Unpacking): PackedLayer[] {
  const layers: PackedLayer[] = [];
  for (const layer of decodedLayers(text)) {
    layers.push({ layer, packing: undefined });
    const { bytes } = layer;
    eachRun(bytes, [0, bytes.length], BASE64, (run) => {
      addRun(layers, layer, run, BASE64, unpacking);
      eachRun(bytes, run, HEX, (inner) => {
        addRun(layers, layer, inner, HEX, unpacking);
      });
    });
  }
  return layers;
}

/** Offsets: of the first character, and behind the last one. */
type Run = readonly [start: number, end: number];

function eachRun(bytes: string, [from, to]: Run, { values, shortest }: PackingKind, found: (run: Run) => void): void {
  let start = from;
  for (let index = from; index <= to; index++) {
    if (index < to && values[bytes.charCodeAt(index)] !== NONE) continue;
    if (index - start >= shortest) found([start, index]);
    start = index + 1;
  }
}

function addRun(
  layers: PackedLayer[],
  layer: Layer,
  [start, end]: Run,
  kind: PackingKind,
  { mayMatter, harmless }: Unpacking,
): void {
  const run = end - start > LONGEST_REMEMBERED ? undefined : layer.bytes.slice(start, end);
  // Digits are unpacked in both ways.
  const key = run === undefined ? '' : `${kind.packing} ${run}`;
  if (run !== undefined && harmless.has(key)) return;
  let matters = false;
  for (let lost = 0; lost < kind.most; lost++) {
    const inner = unpack(layer.bytes, start + lost, end, kind, mayMatter);
    if (inner === undefined) continue;
    matters = true;
    for (const read of decodedLayers(innerLayer(layer, inner, start + lost, kind.bits)))
      layers.push({ layer: read, packing: kind.packing });
  }
  if (run === undefined || matters) return;
  if (harmless.size >= MOST_REMEMBERED) harmless.clear();
  harmless.add(key);
}

let buffer = new Uint8Array(1024);

/** @returns one character for each byte; `undefined` where they do not matter */
function unpack(
  text: string,
  start: number,
  end: number,
  { values, bits }: PackingKind,
  mayMatter: Unpacking['mayMatter'],
): string | undefined {
  if (buffer.length < end - start) buffer = new Uint8Array(2 * (end - start));
  let length = 0;
  let pending = 0;
  let count = 0;
  for (let index = start; index < end; index++) {
    pending = ((pending << bits) | (values[text.charCodeAt(index)] ?? 0)) & 0xffff;
    count += bits;
    if (count < 8) continue;
    count -= 8;
    buffer[length++] = (pending >> count) & 0xff;
  }
  return mayMatter(buffer, length) ? Buffer.from(buffer.subarray(0, length)).toString('latin1') : undefined;
}

/** @param bits - that each character of the outer layer holds */
function innerLayer(outer: Layer, bytes: string, from: number, bits: number): Layer {
  return {
    bytes,
    startOf: (index) => outer.startOf(from + Math.floor((index * 8) / bits)),
    endOf: (index) => outer.endOf(from + Math.ceil(((index + 1) * 8) / bits) - 1),
  };
}
