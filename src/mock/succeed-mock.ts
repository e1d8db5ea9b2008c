import { credentialPlaces } from '../openapi/credential-places';
import type { ApiModel } from '../openapi/model';
import { placeOfName } from '../resources/collection-name';
import { createMock, type Mock, type MockParts } from './create-mock';
import { diffStates } from './diff-states';
import { refitState, type Misfit } from './refit-state';
import type { State } from './state';

/** What a mock took over from the one before it. */
export interface Succession {
  readonly mock: Mock;
  /** Stored items that do not fit, each with its sandbox; `undefined` for the main one. */
  readonly misfits: readonly (Misfit & { readonly sandbox: string | undefined })[];
  /** Paths of collections that the description does not have any more, but a state does. */
  readonly vanished: readonly string[];
}

/**
 * A mock of another description, or with other rules and fixtures, that goes on with the sandboxes of an earlier one:
 * with what is stored in them, with their journals, clocks, faults and snapshots. Until it is there nothing is changed,
 * and the earlier one goes on to answer the requests that it has begun with.
 *
 * A main state in which nothing was changed follows the new seed.
 *
 * @throws ConfigError for fixtures or rules that cannot be used
 */
export function succeedMock(api: ApiModel, parts: MockParts, before: Mock): Succession {
  const { sandboxes } = before.engine;
  const mock = createMock(api, parts, sandboxes);
  const { resources, initial } = mock;
  sandboxes.hide(credentialPlaces(api));
  const hadOwnBaseline = sandboxes.baseline !== before.initial;
  const isUntouched = Object.keys(diffStates(sandboxes.baseline, sandboxes.main.snapshot())).length === 0;
  const misfits: (Misfit & { readonly sandbox: string | undefined })[] = [];
  const vanished = new Set<string>();
  const refit = (state: State, sandbox?: { readonly id: string | undefined }): State => {
    const refitted = refitState(state, resources, initial);
    if (sandbox !== undefined) misfits.push(...refitted.misfits.map((misfit) => ({ ...misfit, sandbox: sandbox.id })));
    for (const path of state.collections.keys()) {
      if (placeOfName(resources, path) === undefined) vanished.add(path);
    }
    return refitted.state;
  };
  sandboxes.baseline = hadOwnBaseline ? refit(sandboxes.baseline) : initial;
  for (const sandbox of sandboxes.all()) {
    const isFollowing = sandbox === sandboxes.main && isUntouched;
    sandbox.restore(isFollowing ? sandboxes.baseline : refit(sandbox.snapshot(), sandbox));
    for (const [name, state] of sandbox.snapshots) sandbox.snapshots.set(name, refit(state));
  }
  return { mock, misfits, vanished: [...vanished] };
}
