import { decodedLayers, type Layer } from '../../redaction/decoded-layers';

type Packing = 'base64' | 'hex';

/** A reading of a text, and by which packing it was reached. */
interface PackedLayer {
  readonly layer: Layer;
  readonly packing: Packing | undefined;
}

/** Tells whether bytes, the first so many of an array, may hold something that is looked for; else they are not read. */
type MayMatter = (bytes: Uint8Array, length: number) => boolean;

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

const KINDS: readonly PackingKind[] = [
  {
    packing: 'base64',
    bits: 6,
    most: 4,
    shortest: 9,
    // RFC 4648 §4 and §5
    values: valuesOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', '-_', 62),
  },
  { packing: 'hex', bits: 4, most: 2, shortest: 14, values: valuesOf('0123456789abcdef', 'ABCDEF', 10) },
];

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
export function packedLayers(text: string, mayMatter: MayMatter): PackedLayer[] {
  const layers: PackedLayer[] = [];
  for (const layer of decodedLayers(text)) {
    layers.push({ layer, packing: undefined });
    for (const kind of KINDS) addUnpacked(layers, layer, kind, mayMatter);
  }
  return layers;
}

function addUnpacked(layers: PackedLayer[], layer: Layer, kind: PackingKind, mayMatter: MayMatter): void {
  const { bytes } = layer;
  const { values, shortest, packing, bits } = kind;
  let start = 0;
  for (let index = 0; index <= bytes.length; index++) {
    const isInRun = index < bytes.length && values[bytes.charCodeAt(index)] !== NONE;
    if (isInRun) continue;
    for (let lost = 0; index - start >= shortest && lost < kind.most; lost++) {
      const inner = unpack(bytes, start + lost, index, kind, mayMatter);
      if (inner === undefined) continue;
      for (const read of decodedLayers(innerLayer(layer, inner, start + lost, bits)))
        layers.push({ layer: read, packing });
    }
    start = index + 1;
  }
}

let buffer = new Uint8Array(1024);

/** @returns one character for each byte; `undefined` where they do not matter */
function unpack(
  text: string,
  start: number,
  end: number,
  { values, bits }: PackingKind,
  mayMatter: MayMatter,
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
