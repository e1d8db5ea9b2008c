import { foldedName } from '../../core/text/inflection';
import { LISTS, WRAPPERS } from '../../lists/body-shape';
import { isKeyName } from '../../openapi/naming/property-names';
import { isListOfObjects, isObjectShape, likeness, type Shape } from './value-shape';

/** Where the things stand that a body shows or takes. */
export interface BodyParts {
  readonly form: 'item' | 'list';
  readonly item: Shape;
}

/**
 * The things in a body: the items of a list, alone or in an envelope, or the one thing, alone or wrapped.
 *
 * @param thing - what the path calls them: `things`
 */
export function partsOf(body: Shape, thing: string): BodyParts | undefined {
  if (isListOfObjects(body) && body.items !== undefined) return { form: 'list', item: body.items };
  if (!isObjectShape(body)) return undefined;
  if (hasKey(body, thing)) return { form: 'item', item: body };
  const list = listIn(body, thing);
  if (list !== undefined) return { form: 'list', item: list };
  const wrapper = [...body.properties].find(
    ([name, held]) => isObjectShape(held) && isNamed(name, thing, WRAPPERS),
  )?.[1];
  if (wrapper === undefined) return { form: 'item', item: body };
  // An envelope in an envelope: `{ data: { things: [] } }`.
  return hasKey(wrapper, thing) ? { form: 'item', item: wrapper } : partsOf(wrapper, thing);
}

/** The items of the list that an envelope is around. */
function listIn(body: Shape, thing: string): Shape | undefined {
  const lists = [...body.properties].filter(([, held]) => isListOfObjects(held));
  const named = lists.find(([name]) => isNamed(name, thing, LISTS));
  const [only, ...more] = lists;
  return (named ?? (more.length === 0 && !isPart(body) ? only : undefined))?.[1].items;
}

function isNamed(property: string, thing: string, names: ReadonlySet<string>): boolean {
  return foldedName(property) === foldedName(thing) || names.has(property.toLowerCase());
}

/** Has an object more of its own than stands beside a list? */
function isPart({ properties }: Shape): boolean {
  const own = [...properties.values()].filter(({ texts, objects }) => texts.count > 0 || objects > 0);
  return own.length > 2;
}

/** Has an object a property that identifies it? */
export function hasKey({ properties }: Shape, thing: string): boolean {
  return [...properties].some(([name, { texts, integers }]) => texts.count + integers > 0 && isIdentity(name, thing));
}

function isIdentity(name: string, thing: string): boolean {
  return name === 'id' || name === '_id' || (isKeyName(name, thing) && foldedName(name) !== foldedName(thing));
}

/** Shapes that are so alike are one thing, of which some properties are not always there. */
export const ALIKE = 0.6;

/** Groups of shapes that are alike, each with the first that is like one in it. */
export function alikeGroups(shapes: readonly Shape[], least = ALIKE): Shape[][] {
  const groups: Shape[][] = [];
  for (const shape of shapes) {
    const group = groups.find((known) => known.some((each) => likeness(each, shape) >= least));
    if (group === undefined) groups.push([shape]);
    else group.push(shape);
  }
  return groups;
}
