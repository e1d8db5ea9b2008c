import { isJsonObject, type JsonObject, type JsonValue, valueAlong } from '../core/json/json-value';
import { chanceOf } from '../payload/sampler/chance';
import { plausibleFor } from '../payload/sampler/plausible-values';
import type { SchemaNode } from '../payload/sampler/schema-node';
import { ValueMaker } from '../payload/sampler/value-maker';
import type { Schema } from '../openapi/model/operation';
import type { ItemAction } from './item-actions';
import type { Place, Remedy } from './remedy';
import { runText } from './run-text';

/** What bodies of a kind have to be beside what the description says. */
export interface Lesson extends Remedy {
  /** Properties that lead to it in the item; those in a list stand for all of its items. */
  readonly path: readonly string[];
  /** Path of the resource of which it has the key; `undefined` where it refers to nothing. */
  readonly refersTo?: string | undefined;
}

/** What bodies are made of as a whole. */
export type Extent = 'usual' | 'least' | 'all';

/** What a run has learnt about the bodies of one kind of things. */
export interface BodyLessons {
  readonly extent: Extent;
  /** An example of the description in the place of what is made up. */
  readonly example: JsonObject | undefined;
  readonly lessons: readonly Lesson[];
}

export const NO_LESSONS: BodyLessons = { extent: 'usual', example: undefined, lessons: [] };

/** What a run has learnt, by the path of the resource. */
export class Learnt {
  private readonly kinds = new Map<string, BodyLessons>();
  /** Properties that services make keys of, by the path of the resource. */
  private readonly namings = new Map<string, string>();
  private readonly preparations = new Map<string, readonly ItemAction[]>();
  private readonly refused = new Set<string>();

  about(path: string): BodyLessons {
    return this.kinds.get(path) ?? NO_LESSONS;
  }

  /** Where things of a kind have the keys of others, beside what the description says. */
  referencesOf(path: string): {
    readonly path: readonly string[];
    readonly to: string;
    readonly form: 'key' | 'keys';
    readonly isGuess?: boolean;
  }[] {
    return this.about(path).lessons.flatMap(({ path: own, refersTo: to }) =>
      to === undefined ? [] : (['key', 'keys'] as const).map((form) => ({ path: own, to, form })),
    );
  }

  /** Was something learnt of what stands at a path of an item, or within it? */
  restricts(path: string, inner: readonly string[]): boolean {
    return this.about(path).lessons.some((lesson) => inner.every((name, at) => (lesson.path[at] ?? name) === name));
  }

  /** The property that the key of a thing is made of; `undefined` where none is known. */
  namingOf(path: string): string | undefined {
    return this.namings.get(path);
  }

  /** What has to be sent below a thing before others can be made of it. */
  preparationsOf(path: string): readonly ItemAction[] {
    return this.preparations.get(path) ?? [];
  }

  rememberPreparations(path: string, actions: readonly ItemAction[]): void {
    this.preparations.set(path, actions);
  }

  /** Was each body of a kind refused? Then its state may be the reason, whatever is wrong with another body. */
  isRefused(path: string): boolean {
    return this.refused.has(path);
  }

  rememberRefused(path: string): void {
    this.refused.add(path);
  }

  rememberNaming(path: string, property: string): void {
    this.namings.set(path, property);
  }

  remember(path: string, lessons: BodyLessons): void {
    this.kinds.set(path, lessons);
  }
}

/** Of what a body is made. */
export interface BodyContext {
  readonly schema: Schema;
  readonly node: SchemaNode;
  /** Properties that lead to the item in the body. */
  readonly root: readonly string[];
  readonly seed: string;
  readonly mark: string;
  readonly ordinal: number;
}

/** The same body with what was learnt, as far as the description lets it be so. */
export function withLessons(body: JsonObject, { lessons }: BodyLessons, context: BodyContext): JsonObject {
  return lessons.reduce((before, lesson) => {
    const after = changeAt(before, [...context.root, ...lesson.path], lesson, context);
    return context.schema.accepts(after, 'request') || !context.schema.accepts(before, 'request') ? after : before;
  }, body);
}

function changeAt(body: JsonObject, path: readonly string[], lesson: Lesson, context: BodyContext): JsonObject {
  const [name = '', ...inner] = path;
  const value = body[name];
  if (inner.length === 0) return changed(body, name, lesson.change(value, placeOf(lesson, context)));
  if (Array.isArray(value))
    return changed(
      body,
      name,
      value.map((item) => (isJsonObject(item) ? changeAt(item, inner, lesson, context) : item)),
    );
  // Where nothing is there is nothing to be left out.
  if (!isJsonObject(value) && lesson.change('', placeOf(lesson, context)) === undefined) return body;
  return changed(body, name, changeAt(isJsonObject(value) ? value : {}, inner, lesson, context));
}

function changed(body: JsonObject, name: string, value: JsonValue | undefined): JsonObject {
  if (value !== undefined) return { ...body, [name]: value };
  return Object.fromEntries(Object.entries(body).filter(([own]) => own !== name));
}

function placeOf({ path: inner }: Lesson, { node, root, seed, mark, ordinal }: BodyContext): Place {
  const path = [...root, ...inner];
  const chance = chanceOf([seed, mark, ordinal, ...path].join('\n'));
  return { chance, own: runText(mark, ordinal), sample: () => sampleAt(node, path, chance) };
}

/** The node at the end of a path; of a list that of its items. */
export function nodeAlong(node: SchemaNode, path: readonly string[]): SchemaNode | undefined {
  return path.reduce<SchemaNode | undefined>((at, name) => {
    const own = at?.types.includes('array') === true ? at.itemNode(0) : at;
    return own?.properties.find((each) => each.name === name)?.node;
  }, node);
}

/** A value for a property that was not sent: by what the description says of it, else by its name. */
function sampleAt(root: SchemaNode, path: readonly string[], chance: number): JsonValue | undefined {
  const node = nodeAlong(root, path);
  const plausible = plausibleFor(path.at(-1) ?? '');
  if (node !== undefined) return new ValueMaker(PLAIN).make({ node, chance, depth: USUAL_DEPTH, plausible });
  return (
    plausible.text?.(chance) ?? (plausible.number === undefined ? undefined : Math.round(plausible.number(chance)))
  );
}

const USUAL_DEPTH = 8;
const PLAIN = { isRich: false, isVaried: true, showsExamples: true, items: 1, isValidBranch: undefined } as const;

/** A body without what may be left out, but for what was learnt to be needed. */
export function leastOf(
  body: JsonObject,
  node: SchemaNode,
  root: readonly string[],
  { lessons }: BodyLessons,
): JsonObject {
  const item = valueAlong(body, root);
  const own = nodeAlong(node, root);
  if (!isJsonObject(item) || own === undefined) return body;
  const needed = new Set(lessons.map(({ path }) => path[0] ?? ''));
  const required = new Set(own.properties.filter(({ isRequired }) => isRequired).map(({ name }) => name));
  const least = Object.fromEntries(Object.entries(item).filter(([name]) => required.has(name) || needed.has(name)));
  return root.reduceRight<JsonObject>((inner, name) => ({ ...body, [name]: inner }), least);
}
