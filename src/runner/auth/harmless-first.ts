import { splitPath } from '../../http/request-target';
import type { Operation } from '../../openapi/model';
import { exchange } from '../exchange';
import type { Creation } from '../creation';
import { pathOf, refusedByMode } from '../guard';
import { acceptOf, makeRequest, type Interaction } from '../interaction';
import { isCreation, routeOf } from '../item-routes';
import type { Run } from '../run';
import type { StepResult } from '../run-result';
import { templateUpTo, type KnownParents } from './known-parents';
import { expectationFor } from './probe-expectation';
import { harmlessTarget } from './probe-target';

/** A server that looks who is there before anything else; that 403 is the wrong one of the two is told elsewhere. */
const REFUSED: ReadonlySet<number> = new Set([401, 403]);

/** Why a write must not be sent without its key. */
export interface Unguarded {
  /** A sentence for people. */
  readonly reason: string;
  /** What the harmless request found, where the mode holds back the other probes of the operation. */
  readonly found: StepResult | undefined;
}

/**
 * Asks without a key for something that nobody has, or with a body that nothing can be made of. Only where that is
 * refused does the operation look at credentials at all: elsewhere a write without them would be done, and take from
 * the contract what it needs.
 *
 * @param interaction - the write that is to be sent without its key
 * @returns `undefined` when it may be sent
 */
export async function askHarmlessly(run: Run, interaction: Interaction): Promise<Unguarded | undefined> {
  const { operation, request: write } = interaction;
  if (operation === undefined) return { reason: 'the description has no operation for it', found: undefined };
  const target = harmlessTarget(operation, run.runId, parentsOf(run, operation, pathOf(run, write)));
  if (typeof target === 'string') {
    return { reason: `whether a key is asked for cannot be seen before: ${target}`, found: undefined };
  }
  const type = target.contentType === undefined ? [] : ['Content-Type', target.contentType];
  const headers = ['Accept', acceptOf(run.api, operation), ...type];
  const request = makeRequest(run, operation.method, target.path, headers, target.body);
  // Elsewhere the other probes judge the same.
  const isJudged = refusedByMode(run, { operation, request }) !== undefined;
  const { response, creation, result } = await exchange(run, {
    name: `${operation.id} without a key`,
    phase: 'auth',
    place: undefined,
    operation,
    request,
    auth: 'none',
    recipe: undefined,
    expected: isJudged ? expectationFor(operation, 'refused') : ANY,
    captures: [],
    ...claimsFor(interaction),
  });
  if (response === undefined) {
    const ended = await result;
    const reason = 'a harmless request without a key was not answered, or could not be sent';
    // That the service cannot be reached may be met here first.
    return { reason, found: ended.verdict.kind === 'error' ? ended : undefined };
  }
  if (REFUSED.has(response.status)) return undefined;
  const made = creation?.state === 'there' ? ` and made ${placeOf(creation)}` : ' and not refused';
  const reason = `a harmless request without a key was answered with ${response.status}${made}, so that this one might be done`;
  return { reason, found: isJudged ? await result : undefined };
}

const ANY = { statuses: [], codes: [], body: undefined, headers: [] };

/** Where what was made stands, for people. */
export function placeOf({ item, path }: Creation): string {
  return item ?? `something at ${path}`;
}

/** What a contract says of a write is as true of it without a key; but it is another thing that it makes. */
export function claimsFor({
  within,
  makes,
  touches,
  leaves,
  removes,
}: Interaction): Pick<Interaction, 'within' | 'makes' | 'touches' | 'leaves' | 'removes'> {
  return { within, makes, touches, leaves, removes };
}

/**
 * What stands above the thing that a write names, which is named as it is. Only a creation may be sent to where the
 * write itself goes: what an action acts on it must not reach, whatever its body.
 */
function parentsOf(run: Run, operation: Operation, path: string): KnownParents {
  const names = splitPath(operation.path);
  const values = splitPath(path);
  const variables = routeOf(run.api, path)?.route.variables ?? [];
  const kept = isCreation(run.api, operation) ? variables : variables.slice(0, -1);
  return new Map(
    kept.flatMap((name) => {
      const value = values[names.indexOf(`{${name}}`)];
      return value === undefined ? [] : [[templateUpTo(operation, name), value] as const];
    }),
  );
}
