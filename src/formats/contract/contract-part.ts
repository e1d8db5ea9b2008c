import { isJsonObject, type JsonObject, type JsonValue, pickProperties } from '../../core/json/json-value';
import { type Contract, type Phase, placeholdersOf, RECEIVER_URL, type Step } from './contract';
import { groupsOf } from './groups';

/**
 * The file of a contract with some of its steps alone. Where none of the steps proper is left, those of the setup are the
 * steps: a contract has some.
 *
 * @param root - of the contract that the steps are of
 */
export function contractWith(root: JsonObject, kept: readonly Step[]): JsonObject {
  const pointers = new Set(kept.map(({ pointer }) => pointer));
  const of = (phase: Phase): JsonValue[] => {
    const written = root[phase];
    if (!Array.isArray(written)) return [];
    return withoutLoneWords(written.filter((_, index) => pointers.has(`/${phase}/${index}`)));
  };
  const [setup, steps, cleanup] = [of('setup'), of('steps'), of('cleanup')];
  const isSetupAlone = steps.length === 0;
  return {
    ...pickProperties(root, (name) => !['setup', 'steps', 'cleanup'].includes(name)),
    ...(isSetupAlone || setup.length === 0 ? {} : { setup }),
    steps: isSetupAlone ? setup : steps,
    ...(cleanup.length === 0 ? {} : { cleanup }),
  };
}

/**
 * Without a step, and without those that need a value which it alone captures, or events that it alone asked for: without it
 * none comes, whatever the service does.
 */
export function withoutDependents(steps: readonly Step[], left: Step): Step[] {
  const rest = steps.filter((step) => step !== left);
  const isAskedElsewhere = !asksForEvents(left) || rest.some(asksForEvents);
  const known = new Set(rest.flatMap(({ captures }) => captures.map(({ name }) => name)));
  const lost = left.captures.map(({ name }) => name).filter((name) => !known.has(name));
  const dependent = rest.find(
    (step) =>
      placeholdersOf(step).some(({ name }) => lost.includes(name)) || (!isAskedElsewhere && step.events.length > 0),
  );
  return dependent === undefined ? rest : withoutDependents(rest, dependent);
}

/** Does it say where the service is to send something? */
function asksForEvents(step: Step): boolean {
  return placeholdersOf(step).some(({ name }) => name === RECEIVER_URL);
}

/** A step that alone is left of its group is sent alone. */
function withoutLoneWords(steps: readonly JsonValue[]): JsonValue[] {
  const wordAt = (index: number): JsonValue | undefined => {
    const step = steps[index];
    return isJsonObject(step) ? step['together'] : undefined;
  };
  return steps.map((step, index) => {
    const word = wordAt(index);
    if (!isJsonObject(step) || word === undefined || word === wordAt(index - 1) || word === wordAt(index + 1))
      return step;
    return pickProperties(step, (name) => name !== 'together' && name !== 'successes');
  });
}

/**
 * The steps up to one and those that are sent at the same time, in the order of the file, and what of the cleanup needs no
 * value of a later one.
 *
 * @param last - all where it is left out, or one of the cleanup
 */
export function stepsUntil({ setup, steps, cleanup }: Contract, last: Step | undefined): Step[] {
  const order = [setup, steps].flatMap(groupsOf);
  const place = order.findIndex((group) => last !== undefined && group.includes(last));
  const until = (place === -1 ? order : order.slice(0, place + 1)).flat();
  const later = order.flat().slice(until.length);
  const lost = new Set(later.flatMap(({ captures }) => captures.map(({ name }) => name)));
  for (const { captures } of until) for (const { name } of captures) lost.delete(name);
  return [...until, ...cleanup.filter((each) => !placeholdersOf(each).some(({ name }) => lost.has(name)))];
}
