import type { Exchange } from './defect';
import { isFields, textOf, type Fields, type Json } from './json';
import {
  type Answer,
  type Call,
  editFields,
  fieldsOf,
  headerOf,
  jsonOf,
  type Place,
  succeeded,
  withHeader,
  withJson,
  withQuery,
} from './message';
import { UNKNOWN } from './client';
import { pathOf } from './petstore';

/** The collection whose ids a resource carries: an inventory item has the id of its pet. */
const owner = (collection: string | undefined): string | undefined =>
  collection === 'inventory' ? 'pets' : collection;

const idOf = (collection: string | undefined, fields: Fields): string =>
  textOf(collection === 'inventory' ? fields.petId : fields.id);

/** What the server itself says when there is no such resource, headers and all. */
export const notFound = ({ call, place, pass }: Exchange): Promise<Answer> =>
  pass({ ...call, target: pathOf(place.base, place.collection ?? 'pets', UNKNOWN) });

export const itemPath = ({ place }: Exchange, collection = place.collection ?? 'pets', id = place.id): string =>
  pathOf(place.base, collection, id);

/** The list without some of its entries, and with a count that agrees. */
export function without(answer: Answer, gone: (fields: Fields) => boolean): Answer {
  const json = jsonOf(answer);
  if (!Array.isArray(json)) return answer;
  const kept = json.filter((item) => !isFields(item) || !gone(item));
  const total = headerOf(answer, 'X-Total-Count');
  const counted = withJson(answer, kept);
  if (total === undefined) return counted;
  return withHeader(counted, 'X-Total-Count', String(Number(total) - (json.length - kept.length)));
}

/** Resources that look different from what the server stores, wherever they are read. */
export class Overlay {
  private readonly changes = new Map<string, (fields: Fields) => Fields>();

  set(collection: string, id: string, change: (fields: Fields) => Fields): void {
    const key = `${collection}/${id}`;
    const before = this.changes.get(key) ?? ((fields: Fields) => fields);
    this.changes.set(key, (fields) => change(before(fields)));
  }

  apply({ collection }: Place, answer: Answer): Answer {
    if (this.changes.size === 0 || !succeeded(answer)) return answer;
    return editFields(answer, (fields) => {
      const change = this.changes.get(`${collection ?? ''}/${idOf(collection, fields)}`);
      return change ? change(fields) : fields;
    });
  }
}

/** Resources that are gone for readers although the server still has them. */
export class Hidden {
  private readonly ids = new Set<string>();

  add(collection: string, id: string): void {
    this.ids.add(`${collection}/${id}`);
  }

  has({ collection, id }: Place): boolean {
    return id !== undefined && this.ids.has(`${collection ?? ''}/${id}`);
  }

  apply({ collection }: Place, answer: Answer): Answer {
    return this.ids.size === 0
      ? answer
      : without(answer, (fields) => this.ids.has(`${collection ?? ''}/${idOf(collection, fields)}`));
  }
}

const REFERENCES: Readonly<Record<string, string>> = { pets: 'petId', categories: 'categoryId' };

/** Other ids outside than inside, for resources of one collection. */
export class Aliases {
  private readonly collection: string;
  private readonly inside = new Map<string, Json>();
  private readonly outside = new Map<string, Json>();

  constructor(collection: string) {
    this.collection = collection;
  }

  set(outer: Json, inner: Json): void {
    this.inside.set(textOf(outer), inner);
    this.outside.set(textOf(inner), outer);
  }

  /** Ids of resources that now go by another one no longer lead anywhere. */
  private inner(id: string): string {
    const known = this.inside.get(id);
    if (known !== undefined) return textOf(known);
    return this.outside.has(id) ? UNKNOWN : id;
  }

  inward(call: Call, place: Place): Call {
    if (this.inside.size === 0) return call;
    const own = owner(place.collection) === this.collection;
    const { query, base, collection, id } = place;
    for (const name of own ? ['id', 'petId'] : [REFERENCES[this.collection] ?? '']) {
      const list = query.get(name);
      if (list !== null)
        query.set(
          name,
          list
            .split(',')
            .map((one) => this.inner(one))
            .join(','),
        );
    }
    const path = own && id !== undefined ? pathOf(base, collection ?? 'pets', this.inner(id)) : undefined;
    const moved = withQuery(path === undefined ? call : { ...call, target: path }, query);
    return editFields(moved, (fields) => this.renamed(fields, this.inside, [REFERENCES[this.collection] ?? '']));
  }

  outward(answer: Answer, place: Place): Answer {
    if (this.outside.size === 0) return answer;
    const names = [REFERENCES[this.collection] ?? '', ...(place.collection === this.collection ? ['id'] : [])];
    const known = place.collection === this.collection ? this.outside.get(textOf(fieldsOf(answer).id)) : undefined;
    const told = editFields(answer, (fields) => this.renamed(fields, this.outside, names));
    const location = headerOf(answer, 'Location');
    if (known === undefined || location === undefined) return told;
    return withHeader(told, 'Location', location.replace(/[^/]+$/, textOf(known)));
  }

  private renamed(fields: Fields, names: ReadonlyMap<string, Json>, members: readonly string[]): Fields {
    const changed = members.flatMap((member) => {
      const other = names.get(textOf(fields[member]));
      return other === undefined ? [] : [[member, other] as const];
    });
    return { ...fields, ...Object.fromEntries(changed) };
  }
}
