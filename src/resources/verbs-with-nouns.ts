import type { Operation } from '../openapi/model';
import { singularWords, wordsOf } from './inflection';
import { lastLiteral, shapeOf, type Segment } from './path-template';
import type { Reading } from './reading';
import type { Places } from './readings';

const ADDS = new Set(['add', 'create', 'insert', 'new']);

/** `POST /things/{id}:addPart` is `POST /things/{id}/parts`, where parts are listed there and nothing else adds one. */
export function readVerbsWithNouns(readings: Map<Operation, Reading>, places: Places): void {
  const named = new Map(
    [...readings.values()].map(({ template }) => [singularShape(template.segments), template] as const),
  );
  for (const [operation, reading] of readings) {
    const { segments } = reading.template;
    const [verb = '', ...noun] = wordsOf(lastLiteral(segments.slice(-1)));
    if (reading.method !== 'POST' || noun.length === 0 || !ADDS.has(verb)) continue;
    const template = named.get(`${shapeOf(segments.slice(0, -1))}/${noun.join('')}`);
    if (template === undefined || !places.at(template.shape).has('GET') || places.at(template.shape).has('POST'))
      continue;
    places.add(template.shape, 'POST');
    readings.set(operation, { ...reading, template, reason: `is POST ${template.path} in other words` });
  }
}

/** The shape of a place with its last word in the singular. */
function singularShape(segments: readonly Segment[]): string {
  return `${shapeOf(segments.slice(0, -1))}/${singularWords(lastLiteral(segments.slice(-1))).join('')}`;
}
