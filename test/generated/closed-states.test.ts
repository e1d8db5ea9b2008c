import { object, text } from '../support/small-api';
import { collection, failed, ID, left, run, Service, type Sketches, told } from './reach-service';

const state = { type: 'string', enum: ['open', 'paused', 'ended'], readOnly: true };
const case_ = object({ ...ID, title: text, state });

function api({
  pause = 'Only an open case can be paused.',
  end = 'The case becomes ended.',
  conflict = true,
}): Sketches {
  const answers = { 200: case_, 404: null, ...(conflict ? { 409: null } : {}) };
  return {
    ...collection('cases', case_),
    'POST /cases': { description: 'The case starts in state open.', body: case_, answers: { 201: case_, 400: null } },
    'POST /cases/{id}/pause': { description: pause, answers },
    'POST /cases/{id}/end': { description: end, answers },
  };
}

function service(isClosed: boolean): Service {
  const own = new Service();
  own.create = (name, body) => [201, own.store(name, { ...body, state: 'open' })];
  own.act = (item, verb) => {
    if (isClosed && item['state'] === 'ended') return [409, {}];
    return [200, own.store('cases', { ...item, state: verb === 'end' ? 'ended' : 'paused' }, String(item['id']))];
  };
  return own;
}

test.each([
  { what: 'is refused', isClosed: true, says: {}, found: [] },
  { what: 'is done all the same', isClosed: false, says: {}, found: ['pause of the case that is ended'] },
  { what: 'is not told to be refused', isClosed: false, says: { pause: 'Pauses a case.' }, found: [] },
  { what: 'is a matter of somebody', isClosed: false, says: { pause: 'Only the owner can pause a case.' }, found: [] },
  { what: 'knows no conflict', isClosed: false, says: { conflict: false }, found: [] },
  {
    what: 'is allowed then',
    isClosed: false,
    says: { pause: 'Only a case that is open or ended can be paused.' },
    found: [],
  },
  { what: 'follows on what leads nowhere', isClosed: false, says: { end: 'Ends a case.' }, found: [] },
])('an action in a state that it is not for $what', async ({ isClosed, says, found }) => {
  const own = service(isClosed);
  const { result } = await run(own, api(says));
  expect(told(result).filter((name) => name.includes('that is ended'))).toEqual(found);
  const message = 'POST /cases/{id}/pause is done in a state in which the description says that it is refused';
  expect(failed(result)).toEqual(found.map((name) => `${name}: ${message}`));
  expect(left(own)).toEqual([]);
});
