import { plainName } from './checks';
import { bare, type Collection, itemIn, itemSchema, propertiesOf } from './collections';
import { goodSchema, nameOf, type Operation } from './description';
import { addressOf, type Place, type Thing } from './place';
import { typeOf } from './schemas';
import type { Exchange } from './session';

/** Words for a state that is not the verb's own participle. */
const STATES: Readonly<Record<string, readonly string[]>> = {
  activate: ['active', 'activated'],
  deactivate: ['inactive', 'deactivated'],
  close: ['closed'],
  deny: ['denied'],
  hold: ['held', 'onhold'],
  pay: ['paid'],
  reopen: ['open', 'reopened'],
  resume: ['active', 'running', 'resumed'],
  send: ['sent'],
  start: ['started', 'running', 'active'],
  unarchive: ['active', 'unarchived'],
  unlock: ['unlocked'],
  void: ['void', 'voided'],
};
const VERBS =
  /^(?:activate|accept|acknowledge|approve|archive|block|cancel|close|complete|confirm|deactivate|decline|deny|disable|enable|finalize|finish|freeze|hold|lock|pause|pay|publish|reject|release|reopen|resume|revoke|send|start|stop|submit|suspend|terminate|unarchive|unlock|void)$/;
const PENDING =
  /^(?:pending|queued|running|inprogress|processing|creating|provisioning|initializing|starting|scheduled)$/;
/** What a thing that is pending waits for is somebody's decision. */
const DECIDED = /accept|approv|confirm|declin|reject/i;
const ENDED = /^(?:completed?|succeeded|success|done|finished|ready|available|active|failed)$/;
/** A job may need so many looks, with a pause between them. */
const LOOKS = 60;

/** The operations below an item that are one verb: `/orders/{id}/cancel`. */
function actionsOf({ session, collection }: Place): { verb: string; operation: Operation }[] {
  return session.description.operations.flatMap((operation) => {
    const prefix = `${bare(collection.itemPath)}/`;
    const path = bare(operation.path);
    const verb = plainName(path.startsWith(prefix) ? path.slice(prefix.length) : '');
    return ['POST', 'PUT', 'PATCH'].includes(operation.method) && VERBS.test(verb) ? [{ verb, operation }] : [];
  });
}

/** Act: after an action whose state the item's schema names, the item is in that state. */
export async function judgeActs(
  place: Place,
  thing: Thing,
  act: (operation: Operation, run: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const { session, collection } = place;
  for (const { verb, operation } of actionsOf(place)) {
    const wanted = stateOf(place, verb);
    if (wanted === undefined) continue;
    await act(operation, async () => {
      const keys = addressOf(place, thing);
      const done = await session.ask(operation, { keys: keysFor(operation, collection, keys, thing) }, collection);
      const about = { operation: nameOf(operation), collection, shown: [done] };
      const { status } = done.answer;
      // A state that forbids it, and work that takes a while, are the server's own matter.
      if (status < 200 || status >= 300 || status === 202) {
        const mayRefuse = [400, 402, 403, 409, 412, 422, 202].includes(status);
        session.tell('act', mayRefuse ? 'not applicable' : 'violated', about, 'it can be done');
        return;
      }
      const found = await session.ask(collection.read!, { keys }, collection);
      const shown = itemIn(collection, found.answer.json)?.value[wanted.property];
      const verdict = shown === wanted.value ? 'holds' : shown === undefined ? 'not applicable' : 'violated';
      session.tell('act', verdict, { ...about, shown: [done, found] }, `${wanted.property} is ${String(wanted.value)}`);
    });
  }
}

/** The last variable of the action's path may have another name than that of the item. */
function keysFor({ path }: Operation, { itemPath }: Collection, keys: Place['keys'], { key }: Thing): Place['keys'] {
  const names = [...path.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1]!);
  const own = [...itemPath.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1]!);
  return Object.fromEntries(names.map((name, at) => [name, at === own.length - 1 ? key : (keys[own[at]!] ?? key)]));
}

/** The one value of the item's schema that an action's verb names. */
function stateOf({ session, collection }: Place, verb: string): { property: string; value: unknown } | undefined {
  const shown = goodSchema(collection.read!)?.schema;
  if (shown === undefined) return undefined;
  const { schema } = itemSchema(collection, session.schemas, shown);
  const words = new Set(STATES[verb] ?? participlesOf(verb));
  const found = [...propertiesOf(session.schemas, schema)].flatMap(
    ([property, of]): { property: string; value: unknown }[] => {
      if (typeOf(of) === 'boolean')
        return words.has(plainName(property).replace(/^is/, '')) ? [{ property, value: true }] : [];
      const values = Array.isArray(of['enum']) ? (of['enum'] as unknown[]) : [];
      if (!/(?:^|_)(?:status|state)$/i.test(property)) return [];
      return values.filter((value) => words.has(plainName(String(value)))).map((value) => ({ property, value }));
    },
  );
  return found.length === 1 ? found[0] : undefined;
}

function participlesOf(verb: string): string[] {
  if (verb.endsWith('e')) return [`${verb}d`, verb.replace(/eezed?$/, 'ozen')];
  return [`${verb}ed`, `${verb}${verb.at(-1)}ed`, verb.replace(/y$/, 'ied')];
}

/** Ready: what is made in a state that passes reaches one that does not. */
export async function judgeReady(place: Place, thing: Thing, made: Exchange): Promise<void> {
  const { session, collection } = place;
  const stateIn = (exchange: Exchange): [string, string][] =>
    Object.entries(itemIn(collection, exchange.answer.json)?.value ?? {}).filter(
      (entry): entry is [string, string] => /(?:status|state)$/i.test(entry[0]) && typeof entry[1] === 'string',
    );
  const [pending] = stateIn(made).filter(
    ([name, value]) => PENDING.test(plainName(value)) && canEnd(place, name) && !wasSent(made, name),
  );
  if (pending === undefined) return;
  const [name] = pending;
  let found = made;
  for (let looks = 0; looks < LOOKS; looks += 1) {
    found = await session.ask(collection.read!, { keys: addressOf(place, thing) }, collection);
    const now = Object.fromEntries(stateIn(found))[name];
    if (now === undefined || !PENDING.test(plainName(now))) break;
    await session.pause();
  }
  const state = Object.fromEntries(stateIn(found))[name] ?? '';
  const about = { operation: nameOf(made.operation), collection, shown: [made, found] };
  session.tell('ready', PENDING.test(plainName(state)) ? 'violated' : 'holds', about, `${name} comes to an end`);
}

function wasSent({ request }: Exchange, name: string): boolean {
  return JSON.stringify(request.sent ?? null).includes(`"${name}":`);
}

function canEnd({ session, collection }: Place, name: string): boolean {
  const shown = goodSchema(collection.read!)?.schema;
  const of =
    shown === undefined
      ? undefined
      : propertiesOf(session.schemas, itemSchema(collection, session.schemas, shown).schema).get(name);
  const values = Array.isArray(of?.['enum']) ? of['enum'].map(String) : [];
  return values.some((value) => ENDED.test(plainName(value))) && !values.some((value) => DECIDED.test(value));
}
