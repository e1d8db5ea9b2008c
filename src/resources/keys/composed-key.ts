import { foldedName } from '../../core/text/inflection';
import type { Property } from '../../openapi/model/operation';
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
  const find = (name: string): string | undefined =>
    addressIn(attributes, name, '/attributes/') ?? addressIn(properties, name, '', key.name);
  const [, template = ''] = MADE.test(description) ? (TEMPLATE.exec(description) ?? []) : [];
  if (template !== '') return partsOf(template, typeof example === 'string' ? example : '', find);
  const same = find(SAME.exec(description)?.[1] ?? '');
  return same === undefined ? undefined : [{ property: same }];
}

function addressIn(
  properties: ReadonlyMap<string, Property>,
  name: string,
  before: string,
  except?: string,
): string | undefined {
  const folded = foldedName(name);
  const found = [...properties.keys()].find((each) => each !== except && folded !== '' && foldedName(each) === folded);
  return found === undefined ? undefined : `${before}${found}`;
}

function partsOf(
  template: string,
  example: string,
  find: (name: string) => string | undefined,
): readonly KeyPart[] | undefined {
  const pieces = template.split(/\{(\w+)\}/);
  const literal = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const pattern = pieces.map((piece, at) => (at % 2 === 0 ? literal(piece) : '(.+?)')).join('');
  const shown = new RegExp(`^${pattern}$`).exec(example) ?? [];
  const parts = pieces.map((piece, at): KeyPart | undefined => {
    const property = at % 2 === 0 ? undefined : find(piece);
    const text = at % 2 === 0 ? piece : shown[(at + 1) / 2];
    return property === undefined ? (text === undefined ? undefined : { text }) : { property };
  });
  const known = parts.filter((part) => part !== undefined);
  return known.length === parts.length && known.some((part) => 'property' in part) ? known : undefined;
}
