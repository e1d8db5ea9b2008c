import type { JsonObject, JsonValue } from '../../core/json/json-value';
import { templateVariables } from '../../openapi/model/route-table';
import { successes } from '../../openapi/view/operation-bodies';
import { itemRouteOf } from '../../runner/ownership/item-routes';
import type { OwnThing } from './own-things';
import { statusOf } from './preparing-steps';
import type { StepContext } from './step-context';
import { withCredentialsOf } from './step-credentials';
import type { StepNames } from './step-names';

/** What was made and not removed is removed in the end; the last step of a cleanup is the first that is sent. */
export function cleanupSteps(context: StepContext, things: readonly OwnThing[], names: StepNames): JsonObject[] {
  return things.flatMap((thing): JsonObject[] => {
    const step = thing.isRemoved ? undefined : removalOf(context, thing);
    return step === undefined ? [] : [{ name: names.nameOfRemoval(thing), ...step }];
  });
}

function removalOf(context: StepContext, { madeBy, resource, key: recorded }: OwnThing): JsonObject | undefined {
  const { api, plan } = context;
  const route = madeBy.operation === undefined ? undefined : itemRouteOf(api, madeBy.operation);
  const removal = route?.route.operations.get('DELETE');
  const key = plan.keyPlaceholder(resource, recorded);
  if (route === undefined || removal === undefined || key === undefined) return undefined;
  const variables = templateVariables(removal.path);
  const parameters = variables.flatMap((name): [string, JsonValue][] => {
    if (name === route.variable) return [[name, key]];
    const variable = route.others.get(name)?.variable;
    const sent = madeBy.parameters.find(({ parameter }) => parameter.in === 'path' && parameter.name === variable);
    const value = variable === undefined ? undefined : (plan.placeholderOf(madeBy, 'path', variable) ?? sent?.value);
    return value === undefined ? [] : [[name, value]];
  });
  if (parameters.length < variables.length) return undefined;
  const status = statusOf(successes(removal)[0]?.status, 204);
  // What the service keeps in spite of the cleanup the run reports as left behind.
  const kept = removal.responses.has('409') ? [409] : [];
  return withCredentialsOf(context, madeBy, removal, {
    operation: removal.id,
    parameters: Object.fromEntries(parameters),
    expect: { status: [status, 404, ...kept] },
  });
}
