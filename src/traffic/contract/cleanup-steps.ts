import type { JsonObject, JsonValue } from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import type { Operation } from '../../openapi/model/operation';
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

/** The same of what the setup makes, with the credentials of the step that does. */
export function removalsOfPrepared({ api }: StepContext, steps: readonly JsonObject[], names: StepNames): JsonObject[] {
  return steps.flatMap((step): JsonObject[] => {
    const operation = api.operations.find(({ id, method }) => id === step['operation'] && method === 'POST');
    const route = operation === undefined ? undefined : itemRouteOf(api, operation);
    const removal = route?.route.operations.get('DELETE');
    const [captured] = Object.keys((step['capture'] ?? {}) as JsonObject);
    if (route === undefined || removal === undefined || captured === undefined) return [];
    // What stands below something else is gone with that.
    if (templateVariables(removal.path).length !== 1) return [];
    const { auth, headers } = step;
    return [
      {
        name: names.free(scalarText(step['name'] ?? null).replace(/^add (an? .*) to work on/, 'remove $1 to work on')),
        operation: removal.id,
        parameters: { [route.variable]: `\${${captured}}` },
        ...(auth === undefined ? {} : { auth }),
        ...(headers === undefined ? {} : { headers }),
        expect: { status: removalStatuses(removal) },
      },
    ];
  });
}

/** What the service keeps in spite of the cleanup the run reports as left behind. */
function removalStatuses(removal: Operation): number[] {
  return [statusOf(successes(removal)[0]?.status, 204), 404, ...(removal.responses.has('409') ? [409] : [])];
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
  return withCredentialsOf(context, madeBy, removal, {
    operation: removal.id,
    parameters: Object.fromEntries(parameters),
    expect: { status: removalStatuses(removal) },
  });
}
