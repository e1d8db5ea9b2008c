import { problem, type Problem } from '../checks/problem';
import type { MockContext } from './context';
import { withIssued } from './issued-credentials';
import type { FaultPlan } from './faults/decide-faults';
import type { Sandbox } from './sandbox';
import { MAIN_ID } from './sandbox-selection';
import type { Sandboxes } from './sandboxes';

/** Where a request is answered: a sandbox, and the mock with the clock and the limiter of that sandbox. */
export interface Place {
  readonly sandbox: Sandbox;
  readonly context: MockContext;
  /** What goes wrong with the request. */
  readonly faults: FaultPlan | undefined;
}

export interface Places {
  readonly main: Place;
  /** @returns the sandbox of an id, or why it cannot be had */
  enter(id: string): Place | Problem;
  /** The same place as it is now. */
  again(place: Place): Place | Problem;
}

/** Gives each sandbox a context of its own, once. */
export function openPlaces(context: MockContext, sandboxes: Sandboxes): Places {
  const known = new WeakMap<Sandbox, Place>();
  const placeOf = (sandbox: Sandbox): Place => {
    let place = known.get(sandbox);
    if (place === undefined) {
      place = {
        sandbox,
        context: {
          ...context,
          clock: sandbox.clock,
          limiter: sandboxes.limiterOf(sandbox),
          credentials: withIssued(context.credentials, sandbox.issued),
        },
        faults: undefined,
      };
      if (sandboxes.isKept(sandbox)) known.set(sandbox, place);
    }
    return place;
  };
  const again = (place: Place): Place | Problem => {
    const { sandbox, faults } = place;
    const now = sandbox.id === undefined ? place : enter(sandbox.id);
    return faults === undefined || now === place || 'code' in now ? now : { ...now, faults };
  };
  const enter = (id: string): Place | Problem => {
    if (id === MAIN_ID) return placeOf(sandboxes.main);
    const sandbox = sandboxes.enter(id);
    return sandbox === undefined ? goneProblem(id) : placeOf(sandbox);
  };
  return {
    main: placeOf(sandboxes.main),
    enter,
    again,
  };
}

/** A silent start from the baseline would look like data that was lost. */
export function goneProblem(id: string): Problem {
  const message = `The sandbox ${id} had to make room for others, or nobody used it for too long; what was in it is gone. Reset or delete it to begin anew, or raise --max-sandboxes`;
  return problem('sandbox_gone', message);
}
