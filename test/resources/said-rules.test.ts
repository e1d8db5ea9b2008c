import { loadDescriptionText } from '../../src/files/load-description';
import { inferResourceModel } from '../../src/resources/infer-resource-model';
import { object, smallApi, type SmallOperation, text } from '../support/small-api';

const STATE = { type: 'string', enum: ['asked', 'paid', 'over'] };
const tour = object({ id: text, name: text }, ['id', 'name']);
const seat = object({ id: text, tour_id: text, guest: text, row: text, state: STATE }, ['tour_id']);
const ALL = { 201: seat, 400: null, 404: null, 409: null, 422: null };

/** What is read of the words of one operation. */
function said(name: string, operation: Partial<SmallOperation>) {
  const operations: Record<string, SmallOperation> = {
    'POST /tours': { body: tour, answers: { 201: tour } },
    'GET /tours/{id}': { answers: { 200: tour, 404: null } },
    'DELETE /tours/{id}': { answers: { 204: null, 409: null } },
    'POST /seats': { body: seat, answers: ALL },
    'GET /seats/{id}': { answers: { 200: seat, 404: null } },
  };
  operations[name] = { ...operations[name], ...operation };
  const { api } = loadDescriptionText(smallApi(operations), 'tours.json');
  const found = [...inferResourceModel(api).bindings.values()].find(
    ({ operation: { method, path } }) => name === `${method} ${path}`,
  );
  if (found === undefined) throw new Error(name);
  return found.said;
}

test.each([
  ['A tour that does not exist is answered with 422.', true],
  ['422 for an unknown tour_id.', true],
  ['404 is answered if no such tour is planned', true],
  ['Any reference to what is not found is a 400', true],
  // Nothing is refused, it is not documented, something else is not there, or it depends.
  ['A tour that does not exist is made.', false],
  ['A tour that does not exist is answered with 410.', false],
  ['A guest that does not exist is answered with 422.', false],
  ['422 for an unknown tour, unless it is named "any".', false],
  ['A tour that is over is answered with 422.', false],
])('what a creation needs: %s', (description, isNeeded) => {
  expect(said('POST /seats', { description }).needs.has('tour_id')).toBe(isNeeded);
});

test.each([
  ['409 where there is a seat with the same guest already.', ['guest']],
  ['A guest may have one seat of a tour; 409 if the guest is taken.', ['tour_id', 'guest']],
  ['The guest of a row is unique, else 409.', ['guest', 'row']],
  ['The guest is unique.', undefined],
  ['409 if the guest is not unique enough.', undefined],
  ['409 if the state is the same.', undefined],
])('what there is but once: %s', (description, names) => {
  expect(said('POST /seats', { description }).unique?.names).toEqual(names);
});

test.each([
  ['The unique identifier of the seat. It cannot be changed.', ['code']],
  ['An external ID. If set, the ID must be unique across all seats.', ['code']],
  // It is unique among something else, or does not have to be.
  ['The unique identifier of the tour.', undefined],
  ['The unique identifier for the seat within its tour.', undefined],
  ['A code, which need not be unique.', undefined],
  ['The unique identifier of the seat map.', undefined],
])('what a property says there is but once: %s', (description, names) => {
  const body = object({ id: text, tour_id: text, code: { ...text, description } }, ['code']);
  expect(said('POST /seats', { body }).unique?.names).toEqual(names);
  expect(said('POST /seats', { body, answers: { 201: seat } }).unique).toBeUndefined();
});

const keeps = (...among: string[]): object => ({ effect: 'keep', state: { property: 'state', among } });

test.each([
  ['A tour with seats cannot be deleted.', { effect: 'keep' }],
  ['409 as long as there is a seat, also one that is over.', { effect: 'keep' }],
  ['409 while there are asked seats.', keeps('asked')],
  ['409 while there is a seat that is not over.', keeps('asked', 'paid')],
  ['Deletes the tour and all its seats.', { effect: 'remove' }],
  ['Its seats are removed too.', { effect: 'remove' }],
  ['Its asked seats become over.', { effect: 'change', state: { property: 'state', among: ['asked'], to: 'over' } }],
  // Which of them, nobody knows.
  ['409 while there are cheap seats.', undefined],
  ['409 while there are seats that were called for.', undefined],
  ['409 unless the seats are gone.', undefined],
  ['409 if the tour is under way.', undefined],
  ['Deletes the tour; its seats stay.', undefined],
])('what refers to what is removed: %s', (description, rule) => {
  const { referrers } = said('DELETE /tours/{id}', { description });
  expect(referrers).toEqual(rule === undefined ? [] : [{ ...rule, from: '/seats', property: 'tour_id' }]);
});
