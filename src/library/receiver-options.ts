import { ConfigError, formatSourceLocation } from '../core/errors/standin-error';
import { inGroup, type OptionTable } from '../core/options/option-table';
import { type OptionType, stringValue } from '../core/options/option-types';
import { type Contract, placeholdersOf, RECEIVER_URL, type Step } from '../formats/contract/contract';
import type { ApiModel } from '../openapi/model/api-model';
import type { Selection } from '../runner/exchange/run-state';
import { isSafe } from '../core/http/message';
import type { Mode } from '../runner/result/run-result';
import { selectSteps } from '../runner/steps/selection';
import { methodOfStep, operationOfStep } from '../runner/steps/step-request';
import type * as ReceiverModule from '../network/event-receiver';
import type { OpenReceiver } from '../network/event-receiver';

/** How a run receives what the service sends by itself: callbacks and webhooks. */
export interface EventReceivingOptions {
  /**
   * Open a receiver on this machine: `true` for a port that is free, a port, or an address such as `0.0.0.0:9000`. In
   * contracts `${receiverUrl}` is where it is. Default: none is opened, and contracts that expect events are refused.
   */
  readonly listen?: boolean | number | string | undefined;
  /** What the service reaches the receiver by, such as the address of a tunnel. Default: that of `listen`. */
  readonly publicUrl?: string | undefined;
}

const ADDRESS = /^(?:(?:[\w.-]+|\[[\da-f:.]+\]):)?\d{1,5}$/i;

const listenAddress: OptionType = {
  expected: 'true, false, a port, or a host and a port',
  expectedText: 'a port such as 9000, or a host and a port such as 0.0.0.0:9000',
  accepts: (value) => typeof value === 'boolean' || isAddress(value),
  parse: (text) => (isAddress(text) ? text : undefined),
};

function isAddress(value: unknown): boolean {
  const isNamed = typeof value === 'string' || Number.isInteger(value);
  return isNamed && ADDRESS.test(String(value)) && Number(/\d+$/.exec(String(value))?.[0]) <= 65_535;
}

export const RECEIVER_OPTIONS = {
  ...inGroup('Events', {
    listen: {
      flag: '--listen [address]',
      doc: 'receive the callbacks and webhooks that contracts expect, on this port of this machine, or host:port',
      type: listenAddress,
      default: 'none is received; a port that is free where none is named',
    },
    publicUrl: {
      flag: '--public-url <url>',
      doc: 'what the service reaches the receiver by, such as a tunnel',
      type: stringValue,
      default: 'the address of the receiver on this machine',
    },
  }),
} satisfies OptionTable<keyof EventReceivingOptions>;

/** @throws ConfigError where it would be without effect, or is no address */
export function requireReceiverOptions({ listen = false, publicUrl }: EventReceivingOptions): void {
  if (publicUrl === undefined) return;
  if (listen === false)
    throw new ConfigError('CONFIG_INVALID', 'publicUrl is where a receiver is reached, and none is opened', {
      hint: 'Give listen (--listen) as well, or leave publicUrl (--public-url) out.',
    });
  if (!URL.canParse(publicUrl) || !/^https?:/.test(publicUrl) || new URL(publicUrl).search !== '')
    throw new ConfigError('CONFIG_INVALID', `publicUrl must be a URL without a query, got "${publicUrl}"`, {
      hint: 'Such as https://name.tunnel.example; what is sent to any path below it has to arrive.',
    });
}

/**
 * Opens the receiver of a run.
 *
 * @returns `undefined` where none is asked for
 * @throws ConfigError where chosen steps need one and none is asked for, and where it cannot be opened
 */
export async function openReceiver(
  { listen = false, publicUrl }: EventReceivingOptions,
  api: ApiModel,
  contracts: readonly Contract[],
  { selection, mode }: { readonly selection: Selection | undefined; readonly mode: Mode },
): Promise<OpenReceiver | undefined> {
  if (listen === false) {
    const isSent = (step: Step): boolean =>
      mode !== 'observe' || isSafe(methodOfStep(step, operationOfStep({ api }, step)));
    for (const contract of contracts)
      requireNoEvents(contract, [...selectSteps(api, contract, selection)].filter(isSent));
    return undefined;
  }
  // oxlint-disable-next-line typescript/no-require-imports -- loaded only by who listens
  const receiver = require('../network/event-receiver') as typeof ReceiverModule;
  return receiver.openReceiver({ address: listen === true ? '0' : String(listen), publicUrl });
}

/** What is expected and not looked at would be green in silence. */
function requireNoEvents({ document }: Contract, steps: readonly Step[]): void {
  for (const step of steps) {
    const isWaiting = step.events.length > 0;
    if (!isWaiting && !placeholdersOf(step).some(({ name }) => name === RECEIVER_URL)) continue;
    const place = formatSourceLocation({ file: document.file, ...document.locationOf(step.pointer) });
    const what = isWaiting ? 'expects what the service sends' : 'says where the service is to send something';
    throw new ConfigError('CONFIG_INVALID', `${place}: the step "${step.name}" ${what}, and nobody listens`, {
      hint: 'Give listen (--listen), and publicUrl (--public-url) where the service cannot reach this machine; skip (--skip) leaves steps out by their tags.',
    });
  }
}
