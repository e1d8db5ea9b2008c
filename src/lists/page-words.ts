import { parsePointer } from '../core/json/json-pointer';
import { type JsonValue, valueAlong } from '../core/json/json-value';
import type { Operation, Parameter } from '../openapi/model/operation';
import { type SchemaView } from '../openapi/view/schema-view';
import type { BodyShape } from './body-shape';

const ANY_CASE =
  /\bcase[- ]insensitiv|\b(?:not|without) case[- ]sensitiv|\b(?:any|whatever|either) case\b|\b(?:ignor\w+|regardless of|irrespective of) (?:the |upper |letter )?case\b|\b(?:upper|capital|lower|small)(?:[- ]?case)?(?: letters)?,? (?:or|and|as well as) (?:in )?(?:upper|capital|lower|small)(?:[- ]?case)?(?: letters)?\b|\bcase (?:is ignored|does(?: not|n't) (?:count|matter))\b/i;
const NOT_ANY_CASE = /\b(?:not|never|isn't) case[- ]insensitiv/i;

/** Do words say of a search that upper and lower case are one to it? */
export function ignoresCase({ description }: Operation, search: Parameter): boolean {
  const said = [...sentencesIn(search.description), ...sentencesAbout([search.name], description)];
  return said.some((sentence) => ANY_CASE.test(sentence) && !NOT_ANY_CASE.test(sentence));
}

const NONE = String.raw`(?:null|absent|empty|missing|omitted|left out|not (?:present|set|there|included|returned))\b`;
const END = String.raw`(?:last page|no (?:more|next|further|other)\b)`;
const NONE_AT_END = new RegExp(String.raw`\b${NONE}[^.;]{0,60}\b${END}|\b${END}[^.;]{0,60}\b${NONE}`, 'i');

/** Do words say that what leads on is not there on the last page? @param general - what is said of the whole API */
export function endsWithNone(
  view: SchemaView,
  { pageProperties, body }: BodyShape,
  { description }: Operation,
  general: unknown,
): boolean {
  const next = pageProperties.filter(({ role }) => role === 'next-link' || role === 'next-cursor');
  const own = next.flatMap(({ path }) => sentencesIn(view.along(body, path)?.value['description']));
  const names = next.map(({ path }) => path.at(-1) ?? '');
  return [...own, ...sentencesAbout(names, description), ...sentencesAbout(names, general)].some((sentence) =>
    NONE_AT_END.test(sentence),
  );
}

/** Do words, or the name, say of a total that it need not be exact? */
export function saysInexact(
  view: SchemaView,
  { pageProperties, body }: BodyShape,
  operation: Operation,
  root: JsonValue,
): boolean {
  const totals = pageProperties.filter(({ role }) => role === 'total');
  const own = totals.flatMap(({ path }) => [...path, view.along(body, path)?.value['description']]);
  const inHeaders = [...operation.responses.values()].flatMap(({ headers }) => [...headers.values()]);
  const texts = [
    ...own,
    ...inHeaders.map(({ pointer }) => valueAlong(root, [...parsePointer(pointer), 'description'])),
  ];
  const isTold = texts.some((text) => typeof text === 'string' && INEXACT.test(text));
  return isTold || /approximat|estimat/i.test(operation.description);
}

/** In words about the total itself: what an operation is about says nothing of it. */
const INEXACT = /approximat|estimat|\b(?:up to|at most|roughly|about|around)\b/i;

function sentencesAbout(names: readonly string[], text: unknown): string[] {
  return sentencesIn(text).filter((sentence) => sentence.split(/[^\w-]+/).some((word) => names.includes(word)));
}

/** Of a name such as `meta.next` the point is no end. */
export function sentencesIn(text: unknown): string[] {
  return typeof text === 'string' ? text.replaceAll(/\s+/g, ' ').split(/[.!?](?:\s|$)|;/) : [];
}
