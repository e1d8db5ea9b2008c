import { createHmac, timingSafeEqual } from 'node:crypto';
import type { RawHeaders } from '../core/http/message';

/** How what is sent is signed, by the names of those who made the scheme known. */
export const SIGNATURE_SCHEMES = ['standard', 'stripe', 'github'] as const;

export type SignatureScheme = (typeof SIGNATURE_SCHEMES)[number];

/** The header that a signature stands in. */
export const SIGNATURE_HEADERS: Readonly<Record<SignatureScheme, string>> = {
  standard: 'Webhook-Signature',
  stripe: 'Stripe-Signature',
  github: 'X-Hub-Signature-256',
};

/** A message to be signed. */
export interface SignedMessage {
  readonly id: string;
  /** Seconds since 1970 of the attempt. */
  readonly seconds: number;
  readonly body: string;
  readonly secret: string;
}

/**
 * The header that proves who sent a message. `standard` is Standard Webhooks 1.0.0: HMAC-SHA-256 over id, time and body;
 * `stripe` is over time and body, `github` over the body alone.
 */
export function signatureHeader(scheme: SignatureScheme, message: SignedMessage): [name: string, value: string] {
  return [SIGNATURE_HEADERS[scheme], signatureOf(scheme, message)];
}

function signatureOf(scheme: SignatureScheme, message: SignedMessage): string {
  const { id, seconds, body, secret } = message;
  switch (scheme) {
    case 'standard':
      return `v1,${sign(keyOf(secret), `${id}.${seconds}.${body}`, 'base64')}`;
    case 'stripe':
      return `t=${seconds},v1=${sign(secret, `${seconds}.${body}`, 'hex')}`;
    case 'github':
      return `sha256=${sign(secret, body, 'hex')}`;
  }
}

/** Secrets of Standard Webhooks are bytes in base64 behind `whsec_`; any other text is the key itself. */
function keyOf(secret: string): string | Buffer {
  return secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : secret;
}

function sign(key: string | Buffer, text: string, encoding: 'hex' | 'base64'): string {
  return createHmac('sha256', key).update(text).digest(encoding);
}

/** What the headers of a message say of who sent it. */
export type SignatureVerdict =
  | { readonly kind: 'signed'; readonly seconds: number | undefined }
  | { readonly kind: 'unsigned' }
  /** Names of the headers that hold a signature, and not the one of this secret. */
  | { readonly kind: 'wrong'; readonly headers: readonly string[] };

/** HMAC-SHA-256 as services write it: 64 hexadecimal digits, or 43 characters of base64 and its padding. */
const DIGEST = /[\da-f]{64}|[\w+/-]{43}=?/gi;

/**
 * Is a message signed with a secret, in any of the ways that are usual: over the body, over time and body, or over id, time
 * and body, in a header whose name says that it is a signature? One signature of several is enough, as while a secret is
 * changed for another.
 */
export function verifySignature(headers: RawHeaders, body: Uint8Array, secret: string): SignatureVerdict {
  const lines = headers.flatMap((name, index) =>
    index % 2 === 0 ? [{ name: name.toLowerCase(), value: headers[index + 1] ?? '' }] : [],
  );
  const signatures = lines.filter(({ name }) => name.includes('signature'));
  const digests = signatures.flatMap(({ value }) => value.match(DIGEST) ?? []);
  if (digests.length === 0) return { kind: 'unsigned' };
  const valuesOf = (pattern: RegExp): string[] =>
    lines.filter(({ name }) => pattern.test(name)).map(({ value }) => value.trim());
  const inside = signatures.flatMap(({ value }) => /(?:^|,)\s*t=(\d+)/.exec(value)?.[1] ?? []);
  const times = [...valuesOf(/timestamp$/), ...inside].filter((time) => /^\d{1,15}$/.test(time));
  const ids = valuesOf(/(?:^|-)id$/);
  const starts = ['', ...times.flatMap((time) => [`${time}.`, ...ids.map((id) => `${id}.${time}.`)])];
  const isRight = starts.some((start) =>
    [secret, keyOf(secret)].some((key) => {
      const right = createHmac('sha256', key).update(start).update(body).digest();
      return digests.some((digest) => isDigest(digest, right));
    }),
  );
  const seconds = times[0] === undefined ? undefined : Number(times[0]);
  return isRight ? { kind: 'signed', seconds } : { kind: 'wrong', headers: signatures.map(({ name }) => name) };
}

function isDigest(text: string, right: Buffer): boolean {
  const bytes = Buffer.from(text, text.length === 64 ? 'hex' : 'base64');
  return bytes.length === right.length && timingSafeEqual(bytes, right);
}
