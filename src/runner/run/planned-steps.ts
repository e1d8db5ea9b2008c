import { type Contract, placeholdersOf, RUN_ID, type Step, stepsOf } from '../../formats/contract/contract';
import { isScalar, placeholdersIn } from '../../formats/contract/placeholders';
import { scalarText } from '../../core/json/stringify-json';
import type { Operation } from '../../openapi/model/operation';
import { isKnownAbsent } from '../ownership/absent-values';
import { canBeCreated, keyInUrlViolation, modeFor } from '../exchange/request-guard';
import { isCreation, lastVariable } from '../ownership/item-routes';
import { annotationsOfStep, methodOfStep, operationOfStep, removingStep } from '../steps/step-request';
import { isSafe } from '../../core/http/message';
import type { RunInput } from '../exchange/run-state';
import { isNamedParent, type ParentsByVariable, parentsByVariable } from '../exchange/interaction';

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
  readonly skipReason: string | undefined;
  /** Is it held back because it may change what the run did not make? */
  readonly mayTouchOthers: boolean;
}

/** What a plan is made for. */
type PlanContext = Pick<RunInput, 'api' | 'mode' | 'runId' | 'within'>;

/** Says of the chosen steps of a contract what becomes of them. What depends on a response counts as sent. */
export function planSteps(context: PlanContext, contract: Contract, chosen: Iterable<Step>): PlannedStep[] {
  const { api } = context;
  const mode = modeFor(context, { isWritten: contract.isGenerated !== true });
  const within = parentsByVariable(context.within ?? [], contract.within);
  /** Names of values by where they come from: of something that the run makes, or of a step that is not sent. */
  const own = new Set<string>([RUN_ID]);
  const missing = new Set<string>();
  /** Where a step before expects to find nothing. */
  const empty = new Set<string>();
  const wanted = new Set(chosen);
  return stepsOf(contract)
    .filter((step) => wanted.has(step))
    .map((step) => {
      const operation = operationOfStep({ api }, step);
      const method = methodOfStep(step, operation);
      const { creates = false } = annotationsOfStep(contract, step);
      const values = pathValues(step, operation);
      const isEmpty = noteEmpty(empty, step, operation, values);
      // A PUT to a key of the run makes what is there then (RFC 9110 §9.3.4).
      const isPut = method === 'PUT' && (isEmpty || values.some(({ text }) => text.includes(`\${${RUN_ID}}`)));
      const isMaking = creates || isPut || isCreation(api, operation);
      const mayCreate = isMaking && step.expect.statuses.some((status) => status < 300);
      const known = { ...context, mode, within, own, missing, makes: creates, isEmpty };
      const skipReason =
        keyInUrlViolation(context.mode, step.auth) === undefined
          ? reasonToSkip(known, step, operation, method)
          : KEY_IN_URL;
      const isBelowOwn = values.some((value) => originOf(known, operation, value) === 'own');
      for (const { name } of step.captures) {
        if (skipReason !== undefined) missing.add(name);
        else if (isMaking) own.add(name);
      }
      const removedBy = removingStep(contract, step.name)?.name;
      const mayTouchOthers = skipReason === FOREIGN;
      return { step, operation, method, mayCreate, removedBy, isBelowOwn, skipReason, mayTouchOthers };
    });
}

/** Did a step before expect to find nothing there? Does this one, then later ones know it. */
function noteEmpty(
  empty: Set<string>,
  { expect }: Step,
  operation: Operation | undefined,
  values: readonly PathValue[],
): boolean {
  const place = JSON.stringify([operation?.path, values]);
  const isLook = operation?.method === 'GET' && expect.statuses.every((status) => status === 404 || status === 410);
  if (isLook) empty.add(place);
  return empty.has(place);
}

const KEY_IN_URL = 'the key would be in the URL';

interface PlanState extends Omit<PlanContext, 'within'> {
  readonly within: ParentsByVariable;
  readonly own: ReadonlySet<string>;
  readonly missing: ReadonlySet<string>;
  readonly makes: boolean;
  readonly isEmpty: boolean;
}

function reasonToSkip(
  known: PlanState,
  step: Step,
  operation: Operation | undefined,
  method: string,
): string | undefined {
  const { mode, missing } = known;
  if (operation?.disabled !== undefined) return `not verified: ${operation.disabled}`;
  if (placeholdersOf(step).some(({ name }) => missing.has(name))) return 'a value of an earlier step is missing';
  if (mode === 'full' || isSafe(method)) return undefined;
  if (mode === 'observe') return 'mode observe changes nothing';
  if (step.touches === 'nothing') return undefined;
  return step.touches === 'own' || step.removes !== undefined ? undefined : foreignReason(known, step, operation);
}

function foreignReason(known: PlanState, step: Step, operation: Operation | undefined): string | undefined {
  const { api, makes, isEmpty } = known;
  const variables = pathValues(step, operation);
  const kinds = variables.map((variable) => originOf(known, operation, variable));
  if (isEmpty || kinds.includes('own')) return undefined;
  const foreign = variables[kinds.indexOf('foreign')]?.name;
  const isMaking = makes || isCreation(api, operation);
  if (foreign !== undefined) {
    return isMaking ? `creating something below ${foreign} needs --within ${foreign}=NAME` : FOREIGN;
  }
  // Beside nothing but parents that the tester named, or nothing at all, only a creation is sent.
  if (kinds.some((kind) => kind !== 'named') || canBeCreated(api, operation, makes)) return undefined;
  return isMaking ? 'what would be created has no path, and no step says what it leaves' : FOREIGN;
}

const FOREIGN = 'this run does not create what would be changed';

type ValueOrigin = 'own' | 'named' | 'absent' | 'unknown' | 'foreign';

interface PathValue {
  readonly name: string;
  readonly text: string;
}

function originOf(known: PlanState, operation: Operation | undefined, { name, text }: PathValue): ValueOrigin {
  const { within, own, runId } = known;
  const used = placeholdersIn(text, '').map((placeholder) => placeholder.name);
  const filled = text.replaceAll(`\${${RUN_ID}}`, () => runId);
  if (used.every((each) => each === RUN_ID)) {
    if (operation !== undefined && lastVariable(operation) !== name && isNamedParent(within, name, filled))
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
