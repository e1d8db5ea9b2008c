import { foldedName } from '../../core/text/inflection';
import type { ResourceDescription } from '../model/resource';

/** What a key is made of: texts, and names and addresses of properties. */
export type KeyPart = { readonly text: string } | { readonly property: string };

const TEMPLATE = /`([^`\s]*\{\w+\}[^`\s]*)`/;
const MADE = /\b(?:formats?|compound|composed|composite|made (?:up )?(?:of|from)|consists?|concatenat\w*)\b/i;
const SAME =
  /\b(?:equivalent|equal|identical|same)(?: (?:to|as|with))(?: its| the| their)? [`"']?(\w+(?:[ _-]\w+){0,2}?)[`"']?(?=[.,;]|$| (?:stored|of|that|which|in|from|given)\b)/i;

/**
 * Of what the words of a key say that it is made: "a compound ID with format `{catalog}:{external_id}`", "equivalent to its
 * external id". What such a format has that items have not is as in the example of the key.
 */
export function composedKeyOf({
  key,
  properties,
  attributes,
}: Pick<ResourceDescription, 'key' | 'properties' | 'attributes'>): readonly KeyPart[] | undefined {
  const property = properties.get(key.name);
  const { description, example } = property?.schema ?? {};
  if (typeof description !== 'string') return undefined;
  const named = (name: string) => (each: string) => each !== key.name && foldedName(each) === foldedName(name);
  const find = (name: string): KeyPart | undefined => {
    const attribute = [...attributes.keys()].find(named(name));
    const found = attribute === undefined ? [...properties.keys()].find(named(name)) : `/attributes/${attribute}`;
    return found === undefined ? undefined : { property: found };
  };
  const pieces = formatIn(description).split(NAMES);
  const shown = textsIn(example, pieces);
  const parts = pieces.flatMap((piece, at): KeyPart | [] => {
    if (at % 2 === 0) return { text: piece };
    const text = shown[(at + 1) / 2];
    return find(piece) ?? (text === undefined ? [] : { text });
  });
  return parts.length === pieces.length && parts.some((part) => 'property' in part) ? parts : undefined;
}

/** With names in braces. */
function formatIn(words: string): string {
  const [, format] = MADE.test(words) ? (TEMPLATE.exec(words) ?? []) : [];
  return format ?? `{${SAME.exec(words)?.[1] ?? ''}}`;
}

/** Splits a format into texts and names by turns. */
const NAMES = /\{([^{}]+)\}/;

/** What an example has for each of the names, from 1 on. */
function textsIn(example: unknown, pieces: readonly string[]): readonly string[] {
  const literal = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const pattern = pieces.map((piece, at) => (at % 2 === 0 ? literal(piece) : '(.+?)')).join('');
  return (typeof example === 'string' && new RegExp(`^${pattern}$`).exec(example)) || [];
}
