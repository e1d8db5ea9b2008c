import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value';
import { parseJson } from '../../core/json/parse-json';
import { stringifyJson } from '../../core/json/stringify-json';
import type { Property, Schema } from '../../openapi/model/operation';
import type { ApiModel } from '../../openapi/model/api-model';
import { successWordAmong } from '../../openapi/naming/states';
import { kindOfSchema, literalInProse } from '../../openapi/naming/property-names';
import { type BodyShape, listShape } from '../../lists/body-shape';
import type { PagePropertyRole } from '../../lists/conventions/list-convention';
import { isOtherPageObject, type PageProperty } from '../../lists/page-properties';
import { stringItems } from '../../schema/schema-object';
import { viewOf } from '../../openapi/view/schema-view';
import { type Fit, fitOf, type SampleSchema } from './schema-fitting';

/** What is reported about a list beside its items; `undefined` where there is nothing to tell, such as a next page. */
export type Fill = (role: PagePropertyRole) => JsonValue | undefined;

/** Another way to write what was filled in. */
export type Show = (role: PagePropertyRole, value: JsonValue) => JsonValue;

interface Frame {
  /**
   * @param inner - JSON of the item or the list
   * @param show - how what was filled in is written, where not as it fits the schema
   */
  write(inner: string, fill: Fill, show?: Show): string;
}

type Node =
  /** `isLeftOutEmpty`: the list must have items where it is there, and need not be there. */
  | { readonly kind: 'inner'; readonly isLeftOutEmpty: boolean }
  | { readonly kind: 'fixed'; readonly text: string }
  | { readonly kind: 'filled'; readonly role: PagePropertyRole; readonly fit: Fit }
  | {
      readonly kind: 'object';
      readonly members: readonly (readonly [string, Node])[];
      /** JSON of it where nothing in it is reported; left out where that is `undefined`. */
      readonly whenAbsent?: { readonly text: string | undefined } | undefined;
    };

/** Works out the frame of a body: what stands where, and what never changes. */
export function planFrame(api: ApiModel, { body, path, pageProperties }: BodyShape, sample: SampleSchema): Frame {
  const node = new FrameBuilder(api, sample).build(body, path, pageProperties);
  return { write: (inner, fill, show) => writeNode(node, inner, fill, show) ?? 'null' };
}

/** What a body without an item always says: its constants, defaults and examples, and what it must have. */
export function fixedBody(api: ApiModel, schema: Schema, sample: SampleSchema): JsonObject {
  const text = writeNode(new FrameBuilder(api, sample).build(schema, undefined, []), '', () => undefined, undefined);
  const body = text === undefined ? undefined : parseJson(text);
  return isJsonObject(body) ? body : {};
}

function writeNode(node: Node, inner: string, fill: Fill, show: Show | undefined): string | undefined {
  switch (node.kind) {
    case 'inner':
      return node.isLeftOutEmpty && inner === '[]' ? undefined : inner;
    case 'fixed':
      return node.text;
    case 'filled': {
      const value = node.fit(fill(node.role));
      return value === undefined ? undefined : stringifyJson(show?.(node.role, value) ?? value);
    }
    case 'object': {
      if (node.whenAbsent !== undefined && !hasValue(node, fill)) return node.whenAbsent.text;
      const properties = node.members.flatMap(([name, property]) => {
        const text = writeNode(property, inner, fill, show);
        return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
      });
      return `{${properties.join(',')}}`;
    }
  }
}

/** Is all that an object tells the cursor of the next page? */
function isCursorAlone(node: Node): boolean {
  const members = node.kind === 'object' ? node.members.map(([, each]) => each) : [];
  return members.length > 0 && members.every((each) => each.kind === 'filled' && each.role === 'next-cursor');
}

/** The node of an object that tells of the next or the previous page, and is null or not there where there is none. */
function omittedWhenEmpty(
  node: Node,
  path: readonly string[] | undefined,
  { name, required }: Property,
  place: Schema,
): Node {
  if (path !== undefined || !(isOtherPageObject(name) || isCursorAlone(node))) return node;
  const isNullable = place.accepts(null, 'response');
  if (node.kind !== 'object' || (required && !isNullable)) return node;
  return { ...node, whenAbsent: { text: isNullable ? 'null' : undefined } };
}

/** What is told of any page, also where none follows. */
const OF_ANY_PAGE: ReadonlySet<PagePropertyRole> = new Set(['page-size', 'page-count', 'total', 'count']);

/** Is there anything to tell in what tells of another page? */
function hasValue(node: Node, fill: Fill): boolean {
  if (node.kind === 'filled') return !OF_ANY_PAGE.has(node.role) && fill(node.role) !== undefined;
  return node.kind === 'object' && node.members.some(([, property]) => hasValue(property, fill));
}

const SUCCESS = /^(?:is_?)?(?:success(?:ful)?|succeeded|ok)$/i;
/** Properties that speak of trouble, which a success does not have. */
const TROUBLE = /error|warning|fault|problem/i;

class FrameBuilder {
  private readonly api: ApiModel;
  private readonly sample: SampleSchema;

  constructor(api: ApiModel, sample: SampleSchema) {
    this.api = api;
    this.sample = sample;
  }

  /** @param path - what leads on to the items; `undefined` where they do not stand below this schema */
  build(schema: Schema, path: readonly string[] | undefined, siblings: readonly PageProperty[]): Node {
    if (path?.length === 0) return { kind: 'inner', isLeftOutEmpty: false };
    const branch = path === undefined ? this.onlyBranch(schema) : undefined;
    if (branch !== undefined) return this.build(branch, path, siblings);
    const properties = this.propertiesOf(schema, siblings);
    const members: (readonly [string, Node])[] = [];
    for (const property of properties.values()) {
      const kind = kindOfSchema(property, schema.pointer);
      const node: Node | undefined =
        kind === undefined ? this.member(property, path, siblings) : { kind: 'fixed', text: JSON.stringify(kind) };
      if (node !== undefined) members.push([property.name, node]);
    }
    const [next, ...rest] = path ?? [];
    // It stands in a branch that the properties do not show.
    if (next !== undefined && !properties.has(next)) members.push([next, this.build(schema, rest, [])]);
    return { kind: 'object', members };
  }

  /** The branch of which a body is that has no properties beside: it cannot be of two of a `oneOf` at once. */
  private onlyBranch(schema: Schema): Schema | undefined {
    const isEither = schema.value['anyOf'] === undefined && this.api.propertiesOf(schema).size === 0;
    return isEither ? viewOf(this.api).alternatives(schema)[0] : undefined;
  }

  /** Its properties, and those of its branches that are to be filled in. */
  private propertiesOf(schema: Schema, siblings: readonly PageProperty[]): ReadonlyMap<string, Property> {
    const own = this.api.propertiesOf(schema);
    const told = new Set(siblings.flatMap(({ path: [name = ''] }) => (own.has(name) ? [] : [name])));
    const branches = told.size === 0 ? [] : viewOf(this.api).alternatives(schema);
    const others = branches.flatMap((branch) => [...this.api.propertiesOf(branch)].filter(([name]) => told.has(name)));
    return others.length === 0 ? own : new Map([...own, ...others]);
  }

  private member(
    property: Property,
    path: readonly string[] | undefined,
    siblings: readonly PageProperty[],
  ): Node | undefined {
    const { name, pointer } = property;
    const place = this.api.schemaAt(pointer);
    const below = siblings.flatMap((sibling) =>
      sibling.path[0] === name ? [{ ...sibling, path: sibling.path.slice(1) }] : [],
    );
    const rest = path?.[0] === name ? path.slice(1) : undefined;
    const own = below.find((sibling) => sibling.path.length === 0);
    if (rest?.length === 0) return this.inner(property, place);
    if (place !== undefined && (rest !== undefined || (own === undefined && below.length > 0))) {
      return omittedWhenEmpty(this.build(place, rest, below), rest, property, place);
    }
    if (own !== undefined) return { kind: 'filled', role: own.role, fit: fitOf(this.api, property, this.sample) };
    const text = this.fixedText(property, place);
    return text === undefined ? undefined : { kind: 'fixed', text };
  }

  private inner({ required }: Property, place: Schema | undefined): Node {
    const { minItems = 0 } = viewOf(this.api).unwrap(place)?.value ?? {};
    return { kind: 'inner', isLeftOutEmpty: !required && minItems !== 0 };
  }

  private fixedText(property: Property, place: Schema | undefined): string | undefined {
    const { name, required, writeOnly } = property;
    if (writeOnly || (!required && TROUBLE.test(name))) return undefined;
    const shown = valuesShown(property);
    const isGood = (value: JsonValue | undefined): boolean =>
      value !== undefined && (place === undefined || place.accepts(value, 'response'));
    const choice =
      shown.find(isGood) ?? (required && place !== undefined ? this.sample(place, undefined, name) : undefined);
    return choice === undefined ? undefined : stringifyJson(choice);
  }
}

/** What the description shows of a property around an item, which tells of a request that went well; the likeliest first. */
function valuesShown({ name, schema, required, pointer }: Property): (JsonValue | undefined)[] {
  const good = successWordAmong(stringItems(schema['enum'])) ?? (SUCCESS.test(name) ? true : undefined);
  const listed = Array.isArray(schema['enum']) ? schema['enum'] : [];
  const words = required || listed.length === 1 ? listed.slice(0, 1) : [];
  return [schema['const'], good, schema['default'], schema['example'], literalInProse(schema, pointer), ...words];
}

/**
 * A list in the form in which items hold it where that is a page of it: `items: [{…}]` for
 * `items: { data: [{…}], has_more: false }`. The page is the only one.
 *
 * @param held - an entry in the form in which the page has it
 * @returns `undefined` where the schema is of no page
 */
export function embeddedPage(
  api: ApiModel,
  schema: Schema,
  name: string,
  value: readonly JsonValue[],
  sample: SampleSchema,
  held: (place: Schema, entry: JsonValue) => JsonValue,
): JsonValue | undefined {
  const view = viewOf(api);
  const place = view.unwrap(schema);
  if (place === undefined || view.items(place) !== undefined) return undefined;
  const shape = listShape(view, place, name);
  const { item } = shape ?? {};
  if (shape?.form !== 'list' || shape.path.length === 0 || item === undefined) return undefined;
  const entries = value.map((entry) => held(item, entry));
  const page = parseJson(
    planFrame(api, shape, sample).write(stringifyJson(entries), (role) => SINGLE_PAGE[role]?.(value.length)),
  );
  return isJsonObject(page) ? page : undefined;
}

const SINGLE_PAGE: Readonly<Partial<Record<PagePropertyRole, (count: number) => JsonValue>>> = {
  total: (count) => count,
  count: (count) => count,
  page: () => 1,
  'page-index': () => 0,
  'page-size': (count) => count,
  'page-count': () => 1,
  offset: () => 0,
  'has-more': () => false,
  'has-previous': () => false,
  'is-first': () => true,
  'is-last': () => true,
  'is-empty': (count) => count === 0,
};
