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
    'PATCH /seats/{id}': { body: seat, answers: { 200: seat, 404: null, 409: null } },
    'POST /seats/{id}/pay': { answers: { 200: seat, 404: null, 409: null } },
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
  ['409 if there is a seat with this guest, paid or not; case does not count.', ['guest']],
  ['The `guest` is printed on the ticket: 409 if another seat has it.', ['guest']],
  ['A `guest` has one seat among those that are not over: 409 if another one has it.', ['guest']],
  ['Two seats never have the same guest, in whatever case: 409.', ['guest']],
  ['409 if the seats are not another size.', undefined],
  ['The guest is unique.', undefined],
  ['409 if the guest is not unique enough.', undefined],
  ['409 if the state is the same.', undefined],
])('what there is but once: %s', (description, names) => {
  expect(said('POST /seats', { description }).unique?.names).toEqual(names);
});

test.each([
  ['409 where there is a seat with the same guest; case does not count.', true],
  ['The guest is unique and case-insensitive, else 409.', true],
  ['409 where there is a seat with the same guest. Case does not count in searches.', false],
])('what is the same in capitals: %s', (description, ignoresCase) => {
  expect(said('POST /seats', { description }).unique?.ignoresCase).toBe(ignoresCase);
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

const closed = (values: string[], isCertain = true): object => ({ property: 'state', values, isCertain });

test.each([
  ['409 unless it is asked.', closed(['paid', 'over'])],
  ['409 if it is paid or over already.', closed(['paid', 'over'])],
  ['409 for a seat that is over.', closed(['over'])],
  ['A seat that is not asked any more is a 409.', undefined],
  ['409 if the seat is no longer asked.', closed(['paid', 'over'])],
  ['Only asked seats can be paid.', closed(['over'])],
  ['A seat can only be paid while it is asked.', closed(['over'])],
  ['A seat can be paid only if it is asked.', closed(['over'])],
  ['A seat that is over cannot be paid.', closed(['over'])],
  ['A seat is paid once; 409 after that.', closed(['paid'])],
  ['409 if already paid.', closed(['paid'])],
  ['Another guest, or 409 if it is over and the tour is full.', closed(['over'], false)],
  ['A seat is paid once in a season.', closed(['paid'], false)],
  // It depends, is about something else, or is no refusal.
  ['409 while it is asked, paid or over.', undefined],
  ['Nothing happens to a seat that is paid already; 409 unless it is asked.', undefined],
  ['A seat that is paid cannot be moved.', undefined],
  ['Only the guest can pay.', undefined],
  ['Pays a seat that is asked.', undefined],
])('in which states an action is refused: %s', (description, rule) => {
  expect(said('POST /seats/{id}/pay', { description }).closed).toEqual(rule);
});

test('a change is refused in a state, and not where nobody documents it', () => {
  const description = 'A seat that is over cannot be changed.';
  expect(said('PATCH /seats/{id}', { description }).closed).toEqual(closed(['over']));
  expect(said('POST /seats/{id}/pay', { description }).closed).toBeUndefined();
  const answers = { 200: seat, 404: null };
  expect(said('PATCH /seats/{id}', { description, answers }).closed).toBeUndefined();
});
