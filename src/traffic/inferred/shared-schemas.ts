import type { JsonObject } from '../../core/json/json-value';
import { foldedName, singularWords, wordsOf } from '../../core/text/inflection';
import { groupBy } from '../../core/text/group-by';
import { ALIKE, alikeGroups, hasKey, partsOf } from './body-parts';
import { pascalCase, uniqueName } from './names';
import { jsonShape, type OperationDraft, subjectOf } from './operation-drafts';
import { isVariable, type TemplateSegment, templateText } from './path-templates';
import { inlineSchema, type SchemaManner } from './shape-schema';
import { isObjectShape, likeness, mergedShape, overlap, type Shape } from './value-shape';

/** Schemas that have a name of their own, and which shapes they stand for. */
export interface SharedSchemas {
  readonly references: ReadonlyMap<Shape, string>;
  /** `components.schemas`, in the order of their names. */
  readonly schemas: JsonObject;
}

/** A component as it grows. */
interface Component {
  readonly name: string;
  /** What its things are called: `things`; empty for errors. */
  readonly thing: string;
  readonly members: Shape[];
  readonly manner: Pick<SchemaManner, 'isPartial' | 'isHidden'>;
}

/** Operations that are about one collection, or one record. */
interface Subject {
  readonly place: readonly TemplateSegment[];
  readonly thing: string;
  readonly drafts: readonly OperationDraft[];
}

/** Names the shapes of what the operations are about: `Book`, `NewBook`, `BookUpdate`, and one `Error` where errors agree. */
export function shareSchemas(drafts: readonly OperationDraft[]): SharedSchemas {
  const components: Component[] = [];
  const subjects = subjectsOf(drafts);
  for (const subject of subjects) addItems(subject, components);
  for (const subject of subjects) addRequests(subject, components);
  for (const draft of drafts) addViews(draft, components);
  addErrors(drafts, components);
  addEmbedded(components, drafts);
  const references = new Map(components.flatMap(({ name, members }) => members.map((shape) => [shape, name] as const)));
  const schemas = components
    .map(({ name, members, manner }): [string, JsonObject] => [
      name,
      inlineSchema(withoutNulls(sharedShape(members, references)), { references, ...manner }),
    ])
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return { references, schemas: Object.fromEntries(schemas) };
}

/** What the members have in common; a property stands for a component where it does so in each of them that has it. */
function sharedShape(members: readonly Shape[], references: Map<Shape, string>): Shape {
  const [only, ...more] = members;
  if (only !== undefined && more.length === 0) return only;
  const merged = mergedShape(members);
  keepReferences(merged, members, references);
  return merged;
}

function keepReferences(merged: Shape, members: readonly Shape[], references: Map<Shape, string>): void {
  const keep = (into: Shape | undefined, from: readonly (Shape | undefined)[]): void => {
    const held = from.filter((shape) => shape !== undefined && shape.objects + shape.arrays > 0) as Shape[];
    const names = new Set(held.map((shape) => references.get(shape)));
    const [name] = names;
    if (into === undefined || held.length === 0) return;
    if (names.size === 1 && name !== undefined) references.set(into, name);
    else keepReferences(into, held, references);
  };
  keep(
    merged.items,
    members.map(({ items }) => items),
  );
  for (const [name, held] of merged.properties)
    keep(
      held,
      members.map(({ properties }) => properties.get(name)),
    );
}

/** A component is the thing itself; where it may be missing the reference says so. */
function withoutNulls(shape: Shape): Shape {
  return { ...shape, count: shape.count - shape.nulls, nulls: 0 };
}

function subjectsOf(drafts: readonly OperationDraft[]): Subject[] {
  return groupBy(drafts, (draft) => templateText(subjectOf(draft.path).place)).map((group) => {
    const { place } = subjectOf(group[0].path);
    const last = place.at(-1);
    return { place, thing: last?.kind === 'literal' ? last.text : '', drafts: group };
  });
}

/** The things of a collection, as they are listed and as each is shown. */
function addItems({ place, thing, drafts }: Subject, components: Component[]): void {
  const shown = drafts.flatMap((draft) => {
    const { isItem } = subjectOf(draft.path);
    const parts = successShapes(draft).flatMap((shape) => partsOf(shape, thing) ?? []);
    return parts.map((part) => ({ ...part, isItem, isCreation: draft.method === 'POST' && !isItem }));
  });
  const isCollection = shown.some(({ form, isItem }) => form === 'list' || isItem);
  const isView = shown.every(({ item, isItem }) => !isItem && components.some((each) => isViewOf(each, item, place)));
  if (!isCollection || isView || thing === '') return;
  // What shows a thing whole comes first: a list may show less of it, and a creation no more than its key.
  const whole = shown.filter(({ form, isItem }) => form === 'item' && isItem);
  const others = shown.filter((part) => !whole.includes(part));
  const [main, ...rest] = alikeGroups([...whole, ...others].map(({ item }) => item));
  if (main === undefined) return;
  const words = singularWords(thing);
  addComponent(components, { place, thing, words, members: main });
  const listed = rest.find((group) => group.some((shape) => overlap(shape, main[0] ?? shape) === 1));
  const isList = shown.some(({ form, item }) => form === 'list' && listed?.includes(item) === true);
  if (listed !== undefined && isList)
    addComponent(components, { place, thing, words: [...words, 'summary'], members: listed });
}

interface NewComponent {
  readonly place: readonly TemplateSegment[];
  readonly thing: string;
  readonly words: readonly string[];
  readonly members: Shape[];
  readonly manner?: Component['manner'];
}

/** Two paths that show things of one name and shape show the same things; another shape has the place in its name. */
function addComponent(components: Component[], { place, thing, words, members, manner = {} }: NewComponent): void {
  const plain = pascalCase(words);
  const [first] = members;
  const known = components.find(({ name }) => name === plain);
  if (known?.members.some((shape) => first !== undefined && likeness(shape, first) >= ALIKE) === true) {
    known.members.push(...members);
    return;
  }
  const parents = place.slice(0, -1).flatMap((each) => (isVariable(each) ? [] : singularWords(each.text)));
  const taken = new Set(components.map(({ name }) => name));
  const name = known === undefined ? plain : uniqueName(pascalCase([...parents, ...words]), taken);
  components.push({ name: componentName(name), thing, members, manner });
}

/** Names of components are letters, digits, dots, hyphens and underscores (OAS 3.1.1 §4.8.7.1). */
function componentName(name: string): string {
  return name === '' ? 'Thing' : name;
}

/** What is sent to make, replace and change a thing. */
function addRequests({ place, thing, drafts }: Subject, components: Component[]): void {
  const noun = singularWords(thing);
  const shown = drafts.flatMap((draft) => successShapes(draft).flatMap((shape) => partsOf(shape, thing)?.item ?? []));
  if (thing === '' || shown.length === 0) return;
  const isHidden = (name: string): boolean => !shown.some(({ properties }) => properties.has(name));
  const sent = (method: string): Shape[] =>
    drafts.flatMap((draft) => {
      const shape = draft.method === method ? jsonShape(draft.request) : undefined;
      const part = shape === undefined ? undefined : partsOf(shape, thing);
      return part === undefined ? [] : [part.item];
    });
  const alike = (shape: Shape, made: readonly Shape[]): boolean =>
    made.some((each) => likeness(each, shape) >= ALIKE && hasKey(each, thing) === hasKey(shape, thing));
  const made = sent('POST');
  const replacing = sent('PUT');
  const creations = [...made, ...replacing.filter((shape) => alike(shape, made))];
  const others = replacing.filter((shape) => !creations.includes(shape));
  const add = (words: readonly string[], members: Shape[], isPartial = false): void => {
    if (members.length > 0) addComponent(components, { place, thing, words, members, manner: { isHidden, isPartial } });
  };
  add(['new', ...noun], creations);
  add([...noun, 'replacement'], others);
  add([...noun, 'update'], sent('PATCH'), true);
}

/** Other places that show the things of a collection above them: `/books/search`, `/books/{bookId}/lend`. */
function addViews({ path, responses }: OperationDraft, components: Component[]): void {
  const { place } = subjectOf(path);
  for (const shape of successShapes({ responses })) {
    for (const component of components) {
      const part = partsOf(shape, component.thing)?.item;
      const isOpen = part !== undefined && !components.some(({ members }) => members.includes(part));
      if (isOpen && isViewOf(component, part, place)) component.members.push(part);
    }
  }
}

/** Is what a place shows a thing of a collection above it? */
function isViewOf({ thing, members, manner }: Component, shape: Shape, place: readonly TemplateSegment[]): boolean {
  const [first] = members;
  const isAbove = place.slice(0, -1).some((each) => !isVariable(each) && each.text === thing);
  if (!isAbove || first === undefined || manner.isHidden !== undefined) return false;
  return hasKey(shape, thing) && likeness(first, shape) >= ALIKE;
}

/** Bodies of errors, where more than one response has them. */
function addErrors(drafts: readonly OperationDraft[], components: Component[]): void {
  const bodies = drafts.flatMap(({ responses }) =>
    [...responses].flatMap(([status, all]) => (status >= 400 ? all : [])),
  );
  const shapes = bodies.flatMap((body) => (body.kind === 'json' && isObjectShape(body.shape) ? [body.shape] : []));
  const [most] = alikeGroups(shapes, 0.5).sort((left, right) => right.length - left.length);
  if (most === undefined || most.length < 2) return;
  const taken = new Set(components.map(({ name }) => name));
  components.push({ name: uniqueName('Error', taken), thing: '', members: most, manner: {} });
}

/** Things that stand in other bodies under their own name: the `author` of a book, its `tags`. */
function addEmbedded(components: Component[], drafts: readonly OperationDraft[]): void {
  const kept = components.filter(({ thing, manner }) => thing !== '' && manner.isHidden === undefined);
  const byNoun = new Map(kept.map((component) => [foldedName(component.name), component] as const));
  const taken = new Set(components.flatMap(({ members }) => members));
  const visit = (shape: Shape, name: string): void => {
    const component = taken.has(shape) ? undefined : byNoun.get(foldedName(wordsOf(name).at(-1) ?? ''));
    if (component !== undefined && isThing(shape, component)) {
      component.members.push(shape);
      taken.add(shape);
      return;
    }
    if (shape.items !== undefined) visit(shape.items, name);
    for (const [property, held] of shape.properties) visit(held, property);
  };
  for (const draft of drafts) for (const shape of successShapes(draft)) visit(shape, '');
}

function isThing(shape: Shape, { members, thing }: Component): boolean {
  const [first] = members;
  const isWhole = isObjectShape(shape) && shape.properties.size > 1 && hasKey(shape, thing);
  return isWhole && first !== undefined && likeness(first, shape) >= 0.8;
}

function successShapes({ responses }: Pick<OperationDraft, 'responses'>): Shape[] {
  return [...responses].flatMap(([status, bodies]) =>
    status < 300 ? bodies.flatMap((body) => (body.kind === 'json' ? [body.shape] : [])) : [],
  );
}
