import { RUN_ID, type Contract, type Step } from '../formats/contract';
import { placeholdersIn } from '../formats/placeholders';
import { placeholdersOf } from '../formats/step-placeholders';
import { scalarText } from '../json/scalar-text';
import { isScalar } from '../formats/placeholders';
import type { ApiModel, Operation } from '../openapi/model';
import { isKnownAbsent } from './auth/absent-path';
import { refusedInUrl } from './auth/key-in-url';
import { canBeCreated } from './guard';
import { isCreation } from './item-routes';
import { claimsOf, operationOf, removingStep } from './prepare-step';
import { isSafe } from './run';
import type { Mode } from './run-result';
import { isNamed, type Within, withinOf } from './within';
import type { NamedParent } from '../formats/contract';

/** A step, what it calls, and whether it will be sent. */
export interface PlannedStep {
  readonly step: Step;
  readonly operation: Operation | undefined;
  readonly method: string;
  /** Does it make something, where it is answered as it expects? */
  readonly mayCreate: boolean;
  /** Name of the step that removes it by its own word; `undefined` for others. */
  readonly removedBy: string | undefined;
  /** Does its path name something that the run makes? */
  readonly isBelowOwn: boolean;
  /** Why the mode holds it back; `undefined` where it is sent, as far as is known before anything is. */
  readonly heldBack: string | undefined;
}

/** What a plan is made for. */
export interface PlanContext {
  readonly api: ApiModel;
  readonly mode: Mode;
  readonly runId: string;
  readonly within?: readonly NamedParent[] | undefined;
}

/** Says of the chosen steps of a contract what becomes of them. What depends on an answer counts as sent. */
export function planSteps(context: PlanContext, contract: Contract, chosen: Iterable<Step>): PlannedStep[] {
  const { api, mode } = context;
  const within = withinOf(context.within ?? [], contract.within);
  /** Names of values by where they come from: of something that the run makes, or of a step that is not sent. */
  const own = new Set<string>([RUN_ID]);
  const missing = new Set<string>();
  const all = [...contract.setup, ...contract.steps, ...contract.cleanup];
  const wanted = new Set(chosen);
  return all
    .filter((step) => wanted.has(step))
    .map((step) => {
      const operation = operationOf({ api }, step);
      const method = step.request.kind === 'raw' ? step.request.method : (operation?.method ?? 'GET');
      const { makes = false } = claimsOf(contract, step);
      const isMaking = makes || isCreation(api, operation);
      const mayCreate = isMaking && step.expect.statuses.some((status) => status < 300);
      const known = { ...context, within, own, missing, makes };
      const heldBack =
        refusedInUrl(mode, step.auth) === undefined ? whyHeldBack(known, step, operation, method) : KEY_IN_URL;
      const isBelowOwn = pathValues(step, operation).some((value) => kindOf(known, operation, value) === 'own');
      for (const { name } of step.captures) {
        if (heldBack !== undefined) missing.add(name);
        else if (isMaking) own.add(name);
      }
      const removedBy = removingStep(contract, step.name)?.name;
      return { step, operation, method, mayCreate, removedBy, isBelowOwn, heldBack };
    });
}

const KEY_IN_URL = 'the key would be in the URL';

interface Known extends Omit<PlanContext, 'within'> {
  readonly within: Within;
  readonly own: ReadonlySet<string>;
  readonly missing: ReadonlySet<string>;
  readonly makes: boolean;
}

function whyHeldBack(known: Known, step: Step, operation: Operation | undefined, method: string): string | undefined {
  const { mode, missing } = known;
  if (placeholdersOf(step).some(({ name }) => missing.has(name))) return 'they need what a step before would give';
  if (mode === 'full' || isSafe(method)) return undefined;
  if (mode === 'observe') return 'they could change something';
  if (step.touches === 'nothing') return undefined;
  return step.touches === 'own' || step.removes !== undefined ? undefined : whyForeign(known, step, operation);
}

function whyForeign(known: Known, step: Step, operation: Operation | undefined): string | undefined {
  const { api, makes } = known;
  const variables = pathValues(step, operation);
  const kinds = variables.map((variable) => kindOf(known, operation, variable));
  if (kinds.includes('own')) return undefined;
  const foreign = variables[kinds.indexOf('foreign')]?.name;
  const isMaking = makes || isCreation(api, operation);
  if (foreign !== undefined) {
    return isMaking ? `they make something below ${foreign}: --within ${foreign}=NAME allows that` : FOREIGN;
  }
  // Beside nothing but parents that the tester named, or nothing at all, only a creation is sent.
  if (kinds.some((kind) => kind !== 'named') || canBeCreated(api, operation, makes)) return undefined;
  return isMaking ? 'what they make has no path, and no step says what it leaves' : FOREIGN;
}

const FOREIGN = 'they could change what this run does not make';

type Kind = 'own' | 'named' | 'absent' | 'unknown' | 'foreign';

interface PathValue {
  readonly name: string;
  readonly text: string;
}

function kindOf(known: Known, operation: Operation | undefined, { name, text }: PathValue): Kind {
  const { within, own, runId } = known;
  const used = placeholdersIn(text, '').map((placeholder) => placeholder.name);
  const filled = text.replaceAll(`\${${RUN_ID}}`, () => runId);
  if (used.every((each) => each === RUN_ID)) {
    if (operation !== undefined && !operation.path.endsWith(`/{${name}}`) && isNamed(within, name, filled))
      return 'named';
    const path = operation?.path.replace(/\{[^{}]*\}/g, '0') ?? '';
    return isKnownAbsent(known, path, name, filled) ? 'absent' : 'foreign';
  }
  return used.some((each) => each !== RUN_ID && own.has(each)) ? 'own' : 'unknown';
}

/** The variables of the path that a step is sent to, with their values as written. */
function pathValues({ request }: Step, operation: Operation | undefined): PathValue[] {
  if (operation === undefined) return [];
  if (request.kind === 'operation') {
    return request.parameters.flatMap(({ name, in: place, value }) =>
      place === 'path' ? [{ name, text: isScalar(value) ? scalarText(value) : '' }] : [],
    );
  }
  const parts = (request.path.split('?')[0] ?? '').split('/');
  return operation.path.split('/').flatMap((segment, index) => {
    const [, name] = /^\{([^{}]+)\}$/.exec(segment) ?? [];
    return name === undefined ? [] : [{ name, text: parts[index] ?? '' }];
  });
}
