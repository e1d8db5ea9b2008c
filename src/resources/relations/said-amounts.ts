import { foldedName, namesInWords } from '../../core/text/inflection';
import type { Property } from '../../openapi/model/operation';
import { type SchemaView, typesOf } from '../../openapi/view/schema-view';
import type { AmountRule, Binding } from '../model/binding';
import type { ResourceDescription } from '../model/resource';

const DOWN =
  /\b(?:go(?:es)? down|decreas\w*|reduc\w*|deduct\w*|subtract\w*|tak(?:es?|en) .*(?:out of|from)|debit\w*)\b/i;
const UP = /\b(?:go(?:es)? up|increas\w*|adds? .* to|added to|credit\w*)\b/i;
const HEDGED = /\b(?:if|when|where|unless|until|may|might|not|no|never|only|except|after)\b/i;
const LACKS = /\b(?:fewer|none|not enough|no more|insufficient|too few|less than)\b/i;

/** "`on_shelf` of the kit goes down by the quantity and `issued` goes up", of what makes something that names a kit. */
export function amountsOfCreation(view: SchemaView, binding: Binding, all: readonly Binding[]): AmountRule[] {
  const { operation, request } = binding;
  const sent = request?.item === undefined ? [] : [...view.properties(request.item).values()].filter(isNumber);
  const text = `${operation.summary}. ${operation.description}`.replaceAll(/\s+/g, ' ');
  const rules = text.split(/[.;](?=\s|$)/).flatMap((sentence) => {
    const found: Change[] = [];
    for (const clause of sentence.split(/[:,]| and /))
      found.push(...changeIn(clause, { binding, all, sent, last: found.at(-1) }));
    return found;
  });
  return rules.map(({ of, property, sign, by }) => {
    const isSeenTo = all.some((each) => each.resource === of && isSent(view, each, property));
    return { of: of.path, property, sign, by, refusal: sign === -1 && isSeenTo ? refusalOf(operation) : undefined };
  });
}

interface Change extends Pick<AmountRule, 'property' | 'sign' | 'by'> {
  readonly of: ResourceDescription;
}

interface Clause {
  readonly binding: Binding;
  readonly all: readonly Binding[];
  /** Numbers of the request. */
  readonly sent: readonly Property[];
  /** What the clause before it says, in the same sentence. */
  readonly last: Change | undefined;
}

/** Which one number of one other thing a clause says to change, in one direction and by how much. */
function changeIn(clause: string, { binding, all, sent, last }: Clause): Change[] {
  const names = namesOf(clause);
  const isNamed = ({ name }: { readonly name: string }): boolean => names.has(foldedName(name));
  const others = [...new Set(all.map(({ resource }) => resource))].filter(
    (each) => each !== binding.resource && each.kind === 'collection' && isNamed(each),
  );
  const of = others[0] ?? last?.of;
  const numbers = [...(of?.properties.values() ?? [])].filter((each) => isNumber(each) && isNamed(each));
  const by = sent.filter(isNamed);
  const amount = by.length > 0 || names.has('one') ? { by: by[0]?.name } : last;
  const sign = signOf(clause);
  const isOne = [others, numbers, by].every(({ length }) => length < 2);
  if (of === undefined || amount === undefined || sign === undefined || !isOne) return [];
  return numbers.map(({ name }) => ({ of, property: name, sign, by: amount.by }));
}

function signOf(clause: string): 1 | -1 | undefined {
  const isUp = UP.test(clause);
  return HEDGED.test(clause) || DOWN.test(clause) === isUp ? undefined : isUp ? 1 : -1;
}

/** "The kits go back on the shelf, and `issued` goes down again": what a creation did, the other way round. */
export function amountsOfAction({ operation, resource, behaviour }: Binding, writes: readonly Binding[]): AmountRule[] {
  // What a body says may be a part of it.
  if (behaviour !== 'act' || operation.requestBody !== undefined) return [];
  const rules = writes.filter((each) => each.resource === resource).flatMap(({ said }) => said.amounts);
  const clauses = `${operation.summary}. ${operation.description}`.split(/[.;,]| and /);
  const back = clauses.filter((each) => /\b(?:back|again)\b/i.test(each) && !HEDGED.test(each)).map(namesOf);
  return rules
    .filter(({ property }) => back.some((names) => names.has(foldedName(property))))
    .map((each) => ({ ...each, sign: each.sign === 1 ? -1 : 1, refusal: undefined }));
}

/** What a text names, articles left out: "on the shelf" is `on_shelf`. */
function namesOf(text: string): ReadonlySet<string> {
  return namesInWords(text.replaceAll(/\b(?:the|a|an|its)\b/gi, ' '));
}

function isNumber({ schema }: Property): boolean {
  return typesOf(schema).some((type) => type === 'integer' || type === 'number');
}

function isSent(view: SchemaView, { request }: Binding, name: string): boolean {
  return request?.item !== undefined && view.properties(request.item).has(name);
}

function refusalOf({ description, responses }: Binding['operation']): AmountRule['refusal'] {
  const clauses = description.split(/[.;,]/).filter((each) => LACKS.test(each));
  return ([409, 422] as const).find(
    (status) => responses.has(String(status)) && clauses.some((each) => new RegExp(`\\b${status}\\b`).test(each)),
  );
}
