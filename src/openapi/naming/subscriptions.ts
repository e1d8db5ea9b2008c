import { foldedName, wordsOf } from '../../core/text/inflection';
import type { Property } from '../model/operation';
import { typesOf } from '../view/schema-view';

const SUBSCRIPTIONS =
  /^(?:webhooks?|hooks?|subscriptions?|subscribers?|listeners?|notifications?|callbacks?|endpoints?)$/;
const URLS =
  /^(?:url|uri|callbackurl|callbackuri|targeturl|target|endpoint|endpointurl|webhookurl|hookurl|deliveryurl|notificationurl|destination|address|callback)$/;

/** Does the last name of a path mean things that say what is sent to whom: `webhooks`, `event-subscriptions`? */
export function isSubscriptionName(name: string): boolean {
  return wordsOf(name).some((word) => SUBSCRIPTIONS.test(word));
}

/** The property that says where to: `url`, `callback_url`, `endpoint`. */
export function deliveryUrlAmong(properties: ReadonlyMap<string, Property>): Property | undefined {
  return [...properties.values()].find(
    ({ name, schema }) => URLS.test(foldedName(name)) && typesOf(schema).includes('string'),
  );
}
