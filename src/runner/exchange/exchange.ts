import type { HttpResponse } from '../../core/http/message';
import type { JsonValue } from '../../core/json/json-value';
import type { Creation } from '../ownership/creation';
import { keyText } from '../ownership/item-routes';
import type { StepResult, Verdict } from '../result/run-result';
import { redactStep } from '../result/step-redaction';
import { unsent } from '../result/step-result';
import { capture } from './capture';
import { checkLater, sendInteraction, sendTogether } from './exchange-stages';
import type { Interaction } from './interaction';
import { foreignAt, locateCreation } from './item-lookup';
import { followLocation, followRename } from './location-follow-up';
import { verifyAbsence } from './operation-call';
import { strangerAt } from './other-caller';
import { noteRowsBefore, takenKeyIn } from './rows-before';
import type { Run } from './run-state';

/** What an interaction gave: the captured values now; the verdict later, while the next request is on its way. */
export interface ExchangeOutcome {
  /** Rejects only on an internal error; a failed check is a result. */
  readonly result: Promise<StepResult>;
  readonly captured: ReadonlyMap<string, JsonValue>;
  /** `undefined` when no response came. */
  readonly response: HttpResponse | undefined;
  /** `false` for a response after which the request is sent again (`repeat`). */
  readonly isLast: boolean;
  /** What it created, or may have created; `undefined` for a request that cannot create anything. */
  readonly creation?: Creation | undefined;
  /** Where it stands in the log of the run; `undefined` when no response came. */
  readonly position?: number | undefined;
}

/**
 * Sends one interaction, over one `ExchangeContext`: verify that a path that looked empty still is, and that another
 * caller would change what the run made and nothing else; send it (admit by the mode, write the ledger, send, read the response); locate what it created; capture; follow its Location; and, while
 * the next request is on its way, check and redact.
 */
export async function exchange(run: Run, interaction: Interaction): Promise<ExchangeOutcome> {
  const obstacle = (await lookBefore(run, interaction)) ?? (await strangerAt(run, interaction));
  return obstacle === undefined
    ? finish(run, await sendInteraction(run, interaction))
    : notSent(run, interaction, obstacle);
}

/**
 * Sends interactions at the same time, each as {@link exchange} does. What else is to be looked up is asked for when all
 * have been answered.
 */
export async function exchangeTogether(run: Run, interactions: readonly Interaction[]): Promise<ExchangeOutcome[]> {
  const outcomes = new Map<Interaction, ExchangeOutcome>();
  for (const interaction of interactions) {
    const obstacle = await lookBefore(run, interaction);
    if (obstacle !== undefined) outcomes.set(interaction, notSent(run, interaction, obstacle));
  }
  const sent = interactions.filter((interaction) => !outcomes.has(interaction));
  for (const [index, context] of (await sendTogether(run, sent)).entries()) {
    const interaction = sent[index];
    if (interaction !== undefined) outcomes.set(interaction, await finish(run, context));
  }
  return interactions.flatMap((interaction) => outcomes.get(interaction) ?? []);
}

/** Looks at what stands where a request may make or change something. @returns why it is not sent */
async function lookBefore(run: Run, interaction: Interaction): Promise<Verdict | undefined> {
  await noteRowsBefore(run, interaction);
  await verifyAbsence(run, interaction);
  return (await takenKeyIn(run, interaction)) ?? foreignAt(run, interaction);
}

function notSent(run: Run, interaction: Interaction, obstacle: Verdict): ExchangeOutcome {
  return withoutResponse(redactStep(unsent(interaction, obstacle), run.redact));
}

async function finish(run: Run, context: Awaited<ReturnType<typeof sendInteraction>>): Promise<ExchangeOutcome> {
  if ('result' in context) return withoutResponse(context.result);
  const { response, creation, isLast, position } = context;
  await locateCreation(run, creation);
  await followRename(context);
  const { values, missing } = capture(context);
  // A later step may delete the creation by one of these values.
  if (creation !== undefined) creation.capturedValues = [...values.values()].flatMap((value) => keyText(value) ?? []);
  const unresolved = await followLocation(context);
  const result = checkLater(context, [...missing, ...unresolved]);
  return { result, captured: values, response, isLast, creation, position };
}

/** The outcome of an interaction without a response. */
export function withoutResponse(result: StepResult): ExchangeOutcome {
  return { result: Promise.resolve(result), captured: new Map(), response: undefined, isLast: true };
}
