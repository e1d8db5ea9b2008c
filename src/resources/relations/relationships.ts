import { singularWords, wordsOf } from '../../core/text/inflection';
import { attributesOf } from '../../lists/conventions/json-api';
import type { Operation, Schema } from '../../openapi/model/operation';
import { requestSchema, successSchema } from '../../openapi/view/operation-bodies';
import { lastLiteral, variablesOf } from '../../openapi/view/path-template';
import type { SchemaView } from '../../openapi/view/schema-view';
import type { Inference, ResourceDraft } from '../drafts/draft';
import type { Relationship } from '../model/resource';
import type { PathNode } from '../paths/operation-readings';

/** A relationship of resource objects, and the collection of what it leads to. */
export interface RelationshipDraft extends Pick<Relationship, 'name' | 'isToMany' | 'type' | 'path'> {
  readonly target: ResourceDraft;
  /** Its own address, `/things/{id}/relationships/parts`; `undefined` where there is none. */
  readonly node: PathNode | undefined;
}

/**
 * What resource objects of JSON:API are related to (1.1 §7.2.2.2): what their schema declares in `relationships`, and what
 * has an address of its own below their items, as far as the `type` of its linkage is that of another collection.
 */
export function relationshipsOf(
  { index, view }: Inference,
  draft: ResourceDraft,
  drafts: readonly ResourceDraft[],
): RelationshipDraft[] {
  const { itemTemplate, schema } = draft;
  if (itemTemplate === undefined || !hasResourceObjects(view, draft)) return [];
  const nodes = new Map(
    [...index.nodes.values()].flatMap((node): [string, PathNode][] => {
      const name = lastLiteral(node.template.segments);
      return node.template.shape === `${itemTemplate.shape}/relationships/${name}` ? [[name, node]] : [];
    }),
  );
  const holder = view.along(schema, ['relationships']);
  const declared = holder === undefined ? [] : [...view.properties(holder).keys()];
  return [...new Set([...declared, ...nodes.keys()])].flatMap((name): RelationshipDraft[] => {
    const shown = view.along(schema, ['relationships', name, 'data']);
    const node = nodes.get(name);
    const data = shown ?? node?.operations.map((each) => linkageIn(view, each)).find((each) => each !== undefined);
    if (data === undefined) return [];
    const items = view.items(data);
    const words = typesIn(view, items ?? data);
    const target = drafts.find((each) => hasResourceObjects(view, each) && isOfType(view, each, words, name));
    const type = words[0] ?? (target && typesIn(view, target.schema)[0]) ?? name;
    const path: Relationship['path'] = [shown === undefined ? HIDDEN_RELATIONSHIPS : 'relationships', name, 'data'];
    return target === undefined ? [] : [{ name, type, path, isToMany: items !== undefined, target, node }];
  });
}

/** Where items keep linkage that their schema does not show. */
const HIDDEN_RELATIONSHIPS = '$relationships';

function hasResourceObjects(view: SchemaView, { schema, template, kind }: ResourceDraft): boolean {
  return kind === 'collection' && variablesOf(template.segments).length === 0 && attributesOf(view, schema).size > 0;
}

function linkageIn(view: SchemaView, operation: Operation): Schema | undefined {
  const bodies = [successSchema(operation), requestSchema(operation)].map((each) => view.unwrap(each));
  return bodies.map((body) => body && view.along(body, ['data'])).find((each) => each !== undefined);
}

/** The words that a `type` can be, or that its examples show. */
function typesIn(view: SchemaView, schema: Schema): string[] {
  const property = view.properties(schema).get('type');
  const { enum: listed, const: only, example, default: usual } = (property && view.schemaOf(property))?.value ?? {};
  const words: readonly unknown[] = [...(Array.isArray(listed) ? listed : []), only, example, usual];
  return words.filter((each) => typeof each === 'string');
}

/** Are both of resource objects of one type? */
export function isOfSameType(view: SchemaView, left: Schema, right: Schema): boolean {
  const words = typesIn(view, right);
  return attributesOf(view, left).size > 0 && typesIn(view, left).some((each) => words.includes(each));
}

/** Is a collection of one of these types? Where items do not say of which type they are, its path does. */
function isOfType(
  view: SchemaView,
  { schema, template }: ResourceDraft,
  words: readonly string[],
  name: string,
): boolean {
  const own = typesIn(view, schema);
  if (own.length > 0 && words.length > 0) return own.some((each) => words.includes(each));
  const noun = singularWords(lastLiteral(template.segments)).join(' ');
  return (words.length > 0 ? words : [name]).some((each) => singularWords(each).join(' ') === noun);
}

/** The relationships of a resource. Where two collections are related by one of each, these are each other's other end. */
export function describeRelationships(
  inference: Inference,
  draft: ResourceDraft,
  drafts: readonly ResourceDraft[],
): Relationship[] {
  const own = relationshipsOf(inference, draft, drafts);
  const removal = draft.uses.find(({ behaviour }) => behaviour === 'remove')?.operation;
  return own.map(({ name, type, path, isToMany, target }): Relationship => {
    const back =
      target === draft ? [] : relationshipsOf(inference, target, drafts).filter((each) => each.target === draft);
    const isOnly = back.length === 1 && own.filter((each) => each.target === target).length === 1;
    return {
      name,
      type,
      path,
      isToMany,
      to: target.template.path,
      inverse: isOnly ? back[0]?.name : undefined,
      isRemovedWith:
        isToMany && removal !== undefined && saysRemovedWith(removal, lastLiteral(target.template.segments)),
    };
  });
}

const HEDGED = /\b(?:not|no|never|unless|if|may|might|keeps?|stays?|remains?|without)\b/i;

/** "Any tasks inside that board will also be removed", "Deletes a board and all its tasks"? */
function saysRemovedWith({ summary, description }: Operation, things: string): boolean {
  const noun = wordsOf(things).join('[\\s_-]');
  const which = '(?:any|all|every|each|its)(?: of)?(?: (?:its|the|their))?';
  const passive = new RegExp(`^${which} ${noun}\\b.*\\b(?:removed|deleted|erased)\\b`, 'i');
  const active = new RegExp(
    `^(?:delete|remove|erase)s?\\b.*\\b(?:and|with|including) ${which} ${noun}\\b(?![\\s-]+\\w+s?\\b)`,
    'i',
  );
  const sentences = `${summary}. ${description}`.split(/[.;\n]/).map((each) => each.trim());
  return sentences.some((each) => !HEDGED.test(each) && (passive.test(each) || active.test(each)));
}
