import type { JsonObject, JsonValue } from '../../core/json/json-value';
import { type Group, groupBy } from '../../core/text/group-by';
import { formatsOf, mergedShape, type Shape, shapeOfValues } from './value-shape';
import { isInteger } from './key-look';
import { type FormField, isAccepted, isSecretMark, jsonOf, type Observation, type ObservedBody } from './observation';
import { type ObservedPath, type TemplateSegment, templateText } from './path-templates';

/** One operation, with what its bodies had in common. */
export interface OperationDraft {
  readonly path: ObservedPath;
  readonly template: string;
  readonly method: string;
  readonly observations: Group<Observation>;
  /** Those that were accepted; all where none was. */
  readonly good: readonly Observation[];
  /** Empty where no good request had a body. */
  readonly request: readonly BodyDraft[];
  /** Was a good request made without a body? */
  readonly isBodyOptional: boolean;
  /** By status, ascending. */
  readonly responses: ReadonlyMap<number, readonly BodyDraft[]>;
}

/** What bodies of one media type had in common. */
export type BodyDraft = { readonly mediaType: string } & (
  | { readonly kind: 'json'; readonly shape: Shape }
  | { readonly kind: 'form' | 'multipart'; readonly schema: JsonObject }
  | { readonly kind: 'text' | 'opaque' }
);

/** Path Items list their operations in this order, whatever came first. */
const METHOD_ORDER = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];

/** The operations of a place. */
export function draftOperations(path: ObservedPath): OperationDraft[] {
  return groupBy(path.observations, ({ method }) => method)
    .sort(([left], [right]) => METHOD_ORDER.indexOf(left.method) - METHOD_ORDER.indexOf(right.method))
    .map((observations) => draftOperation(path, observations));
}

function draftOperation(path: ObservedPath, observations: Group<Observation>): OperationDraft {
  const accepted = observations.filter(isAccepted);
  const good = accepted.length > 0 ? accepted : observations;
  const statuses = groupBy(observations, ({ status }) => String(status));
  const sorted = statuses.sort(([left], [right]) => left.status - right.status);
  return {
    path,
    template: templateText(path.segments),
    method: observations[0].method,
    observations,
    good,
    request: draftBodies(good.map(({ request }) => request)),
    isBodyOptional: good.some(({ request }) => request === undefined),
    responses: new Map(sorted.map((group) => [group[0].status, draftBodies(group.map(({ response }) => response))])),
  };
}

function draftBodies(bodies: readonly (ObservedBody | undefined)[]): BodyDraft[] {
  const known = bodies.filter((body) => body !== undefined);
  return groupBy(known, ({ mediaType }) => mediaType).map((group) => draftBody(group));
}

function draftBody(group: Group<ObservedBody>): BodyDraft {
  const { mediaType } = group[0];
  const json = group.filter((body) => body.kind === 'json');
  const forms = group.flatMap((body) => (body.kind === 'form' || body.kind === 'multipart' ? [body.fields] : []));
  const kind = group.find((body) => body.kind === 'form' || body.kind === 'multipart')?.kind;
  if (json.length > 0) return { mediaType, kind: 'json', shape: shapeOfValues(valuesOf(json)) };
  if (kind === 'form' || kind === 'multipart') return { mediaType, kind, schema: formSchema(forms) };
  return { mediaType, kind: group.every((body) => body.kind === 'text') ? 'text' : 'opaque' };
}

/** One after the other: all at once would be many times as large as their texts. */
function* valuesOf(bodies: readonly ObservedBody[]): Iterable<JsonValue> {
  for (const body of bodies) {
    const value = jsonOf(body);
    if (value !== undefined) yield value;
  }
}

/** The fields of forms; one that comes several times is a list. */
function formSchema(forms: readonly (readonly FormField[])[]): JsonObject {
  const fields = forms.flat();
  const properties = groupBy(fields, ({ name }) => name).map((group): [string, JsonValue] => {
    const [{ name }] = group;
    const schema = group.some(({ isFile }) => isFile)
      ? { type: 'string', format: 'binary' }
      : textSchema(group.map(({ text }) => text));
    const isList = forms.some((form) => form.filter((field) => field.name === name).length > 1);
    return [name, isList ? { type: 'array', items: schema } : schema];
  });
  const required = properties.flatMap(([name]) =>
    forms.every((form) => form.some((field) => field.name === name)) ? [name] : [],
  );
  return {
    type: 'object',
    ...(required.length === 0 ? {} : { required }),
    ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
  };
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
/** The most digits of which a double keeps each. */
const MOST_DIGITS = 15;

/** The schema of values that stand as texts in an address, a header or a form. */
export function textSchema(texts: readonly string[]): JsonObject {
  if (texts.length > 0 && texts.every(isSecretMark)) return { type: 'string', format: 'password' };
  if (texts.every((text) => text === 'true' || text === 'false')) return { type: 'boolean' };
  if (texts.every(isInteger)) return { type: 'integer' };
  if (texts.every((text) => NUMBER.test(text) && text.length <= MOST_DIGITS)) return { type: 'number' };
  const [format] = texts.map(formatsOf).reduce((left, right) => left.filter((name) => right.includes(name)));
  return { type: 'string', ...(format === undefined ? {} : { format }) };
}

/** The segments up to the last word of a path, which names what it is about, and whether a variable follows. */
export function subjectOf({ segments }: Pick<ObservedPath, 'segments'>): {
  readonly place: readonly TemplateSegment[];
  readonly isItem: boolean;
} {
  const named = segments.filter((each) => each.kind === 'variable' || each.text !== '');
  const isItem = named.at(-1)?.kind === 'variable';
  const end = named.findLastIndex((each) => each.kind === 'literal') + 1;
  return { place: named.slice(0, end), isItem };
}

/** What the JSON of several bodies had in common; `undefined` where there is none. */
export function jsonShape(bodies: readonly BodyDraft[]): Shape | undefined {
  const shapes = bodies.flatMap((body) => (body.kind === 'json' ? [body.shape] : []));
  const [first] = shapes;
  return shapes.length > 1 ? mergedShape(shapes) : first;
}
