import { isMarkedDeleted } from './change';
import { itemsIn, keyIn } from './collections';
import { nameOf, type Operation } from './description';
import { addressOf, type Place, type Thing } from './place';
import type { Exchange } from './session';
import { walkList } from './walk';

/** Remove: DELETE succeeds, and what was removed is neither at its address nor in the list. */
export async function judgeRemoval(place: Place, remove: Operation, thing: Thing): Promise<void> {
  const { session, collection } = place;
  const address = addressOf(place, thing);
  const { wasRead, wasListed } = await findThing(place, thing);
  if (!wasRead && !wasListed) return;
  const removed = await session.ask(remove, { keys: address }, collection);
  const about = { operation: nameOf(remove), collection, shown: [removed] };
  const { status } = removed.answer;
  const isGood = status >= 200 && status < 300;
  const mayRefuse = [303, 409, 412, 428].includes(status);
  session.tell('remove', isGood ? 'holds' : mayRefuse ? 'not applicable' : 'violated', about, 'it can be removed');
  if (!isGood || status === 202) return;
  if (wasRead) await judgeGone(place, thing, removed);
  if (wasListed) await judgeUnlisted(place, thing, removed);
}

/** Where the thing is: a removal is judged of what is there. */
async function findThing(place: Place, thing: Thing): Promise<{ wasRead: boolean; wasListed: boolean }> {
  const { session, collection, keys } = place;
  const { read, list } = collection;
  const found = read === undefined ? undefined : await session.ask(read, { keys: addressOf(place, thing) }, collection);
  const walk = list === undefined ? undefined : await walkList(session, collection, keys);
  return { wasRead: found?.answer.status === 200, wasListed: walk?.keys.includes(thing.key) === true };
}

async function judgeGone(place: Place, thing: Thing, removed: Exchange): Promise<void> {
  const { session, collection } = place;
  const after = await session.ask(collection.read!, { keys: addressOf(place, thing) }, collection);
  const isGone = [404, 410].includes(after.answer.status) || isMarkedDeleted(collection, after.answer.json);
  const about = { operation: nameOf(removed.operation), collection, shown: [removed, after] };
  session.tell('remove', isGone ? 'holds' : 'violated', about, '404, 410 or a state that says it is gone');
}

async function judgeUnlisted(place: Place, thing: Thing, removed: Exchange): Promise<void> {
  const { session, collection, keys } = place;
  const after = await walkList(session, collection, keys);
  const items = after.shown.flatMap(({ answer }) => itemsIn(collection, answer.json) ?? []);
  const shown = items.find((item) => keyIn(collection, item) === thing.key);
  const isGone = !after.keys.includes(thing.key) || isMarkedDeleted(collection, shown);
  const about = { operation: nameOf(removed.operation), collection, shown: [removed, ...after.shown.slice(0, 1)] };
  session.tell('remove', isGone ? 'holds' : 'violated', about, `the list is without ${thing.key}`);
}
