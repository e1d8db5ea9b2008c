import type { Browser } from '../http/cross-origin';
import type { FormatJudge, PlacedValue } from './member-reader';
import { MemberReader } from './member-reader';

/** Reads `browser: { origin: https://app.example }`: pages of this origin call what the contract calls. */
export function readBrowser(placed: PlacedValue, judge: FormatJudge): Browser | undefined {
  const members = MemberReader.open(placed, 'browser', ['origin', 'credentials'], judge);
  if (members === undefined) return undefined;
  const origin = members.value('origin');
  const credentials = members.value('credentials') ?? false;
  if (typeof credentials !== 'boolean') members.refuse('credentials', 'true or false');
  if (typeof origin !== 'string' || !isOrigin(origin)) {
    members.refuse('origin', 'scheme, host and port of a page, such as https://app.example');
    return undefined;
  }
  return { origin, credentials: credentials === true };
}

/** As browsers write one (RFC 6454 §6.2): no path, no slash at the end, no port that the scheme implies. */
function isOrigin(text: string): boolean {
  return URL.canParse(text) && /^https?:/.test(text) && new URL(text).origin === text;
}
