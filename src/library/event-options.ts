import type * as undiciModule from 'undici';
import { inGroup, type OptionTable } from '../core/options/option-table';
import { oneOf, type OptionType, stringList, stringMap, stringValue } from '../core/options/option-types';
import { ConfigError } from '../core/errors/standin-error';
import type { PostMessage } from '../events/delivery';
import type { EventOptions } from '../events/event-hub';
import { EVENT_FAULT_KINDS } from '../events/event-faults';
import { isAddress, isNamed } from '../events/event-targets';
import { planEvents } from '../events/event-triggers';
import { once } from '../core/text/memoize';
import { similarName } from '../core/text/similar-name';
import type { Mock } from '../mock/create-mock';
import { SIGNATURE_SCHEMES, type SignatureScheme } from '../security/message-signature';

/** How the callbacks and webhooks of the description are sent. */
export interface EventSendingOptions {
  /**
   * Where events go beside those who asked for them in a request: addresses by the name of the event, `*` for all. Default:
   * nowhere else.
   */
  readonly webhooks?: Readonly<Record<string, string>> | undefined;
  /** Hosts that events may be sent to beside this machine. Default: none. */
  readonly webhookHosts?: readonly string[] | undefined;
  /** Signs events whose receivers gave no secret of their own; `whsec_` and base64, or any text. Default: they are not signed. */
  readonly webhookSecret?: string | undefined;
  /**
   * How events are signed: `standard` (Standard Webhooks), or as `stripe` or `github` do. Default: that whose header the
   * description of the event has, else `standard`.
   */
  readonly webhookSignature?: SignatureScheme | undefined;
  /**
   * What goes wrong with events on their way: `twice`, `late:30s`, `out-of-order`, `wrong-signature`, each for all of them, or
   * with `;event=NAME` and `;times=N`. Default: nothing.
   */
  readonly webhookFaults?: readonly string[] | undefined;
}

const addresses: OptionType = {
  ...stringMap,
  expected: 'an object of addresses by the names of events',
  expectedText: 'EVENT=URL, such as order.completed=http://localhost:9000/hooks, or *=URL',
  accepts: (value) => stringMap.accepts(value) && Object.values(value as Record<string, string>).every(isAddress),
  parse(text, earlier = {}) {
    const [, event = '', url = ''] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
    if (!isAddress(url))
      throw new ConfigError('CONFIG_INVALID', `The value "${text}" of --webhook is not EVENT=URL`, {
        hint: 'Give the name of an event, or * for all: --webhook order.completed=http://localhost:9000/hooks.',
      });
    return { ...(earlier as Record<string, string>), [event]: url };
  },
};

export const EVENT_OPTIONS: OptionTable<keyof EventSendingOptions> = inGroup('Events', {
  webhooks: {
    flag: '--webhook <event=url>',
    doc: 'where a callback or webhook of the description is sent beside those who asked for it; * names all',
    type: addresses,
  },
  webhookHosts: {
    flag: '--webhook-allow <host>',
    doc: 'hosts that they may be sent to beside this machine',
    type: stringList,
  },
  webhookSecret: {
    flag: '--webhook-secret <secret>',
    doc: 'signs those whose receivers gave no secret of their own',
    type: stringValue,
  },
  webhookSignature: {
    flag: '--webhook-signature <scheme>',
    doc: 'how they are signed: Standard Webhooks, or as Stripe or GitHub do',
    type: oneOf(SIGNATURE_SCHEMES),
    default: 'that whose header the description of the event has, else standard',
  },
  webhookFaults: {
    flag: '--webhook-fault <fault>',
    doc: `what goes wrong with them: ${EVENT_FAULT_KINDS.join(', ')}; such as twice;event=order.paid;times=1`,
    type: stringList,
  },
});

export function eventOptions(options: EventSendingOptions): EventOptions {
  const { webhooks = {}, webhookHosts = [], webhookSecret, webhookSignature, webhookFaults = [] } = options;
  const targets = Object.entries(webhooks).map(([event, url]) => ({ event, url }));
  return {
    targets,
    hosts: webhookHosts,
    secret: webhookSecret,
    scheme: webhookSignature,
    faults: webhookFaults,
    post: postMessage,
  };
}

/** @throws ConfigError for an event that the description does not have: nothing would ever be sent */
export function demandKnownEvents({ context, model, overrides }: Mock, { webhooks = {} }: EventSendingOptions): void {
  const wanted = Object.keys(webhooks);
  if (wanted.length === 0) return;
  const known = [
    ...new Set(planEvents(context.api, model, overrides).flatMap(({ type, event }) => [type, event.name])),
  ];
  const unknown = wanted.find((each) => !known.some((name) => isNamed(each, name)));
  if (unknown === undefined) return;
  const near = similarName(unknown, known);
  const list = known.length === 0 ? 'it has none' : `it has ${known.slice(0, MOST_NAMED).join(', ')}`;
  throw new ConfigError('CONFIG_INVALID', `The description has no callback or webhook "${unknown}"; ${list}`, {
    hint: near === undefined ? 'standin explain says of each when it happens.' : `Did you mean "${near}"?`,
  });
}

const MOST_NAMED = 12;

// oxlint-disable-next-line typescript/no-require-imports -- loaded only where something is sent
const client = once(() => require('undici') as typeof undiciModule);

/** Redirects are not followed: nobody allowed where they lead. */
const postMessage: PostMessage = async ({ url, method, headers, body, timeoutMs }) => {
  const { request } = client();
  const limits = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
  const reply = await request(url, { method, headers, body: body ?? null, ...limits });
  // To its end, so that the connection can be used again; of a long one not.
  await reply.body.dump({ limit: 64 * 1024 });
  const given = reply.headers['retry-after'];
  return { status: reply.statusCode, retryAfter: typeof given === 'string' ? given : undefined };
};
