import { createHmac } from 'node:crypto';

/** How what is sent is signed, by the names of those who made the scheme known. */
export const SIGNATURE_SCHEMES = ['standard', 'stripe', 'github'] as const;

export type SignatureScheme = (typeof SIGNATURE_SCHEMES)[number];

/** A message to be signed. */
export interface SignedMessage {
  readonly id: string;
  /** Seconds since 1970 of the attempt. */
  readonly seconds: number;
  readonly body: string;
  readonly secret: string;
}

/**
 * Names and values of headers that prove who sent a message. `standard` is Standard Webhooks 1.0.0: HMAC-SHA-256 over id, time and body;
 * `stripe` is over time and body, `github` over the body alone.
 */
export function signatureHeaders(scheme: SignatureScheme, message: SignedMessage): [name: string, value: string][] {
  const { id, seconds, body, secret } = message;
  switch (scheme) {
    case 'standard':
      return [['Webhook-Signature', `v1,${sign(keyOf(secret), `${id}.${seconds}.${body}`, 'base64')}`]];
    case 'stripe':
      return [['Stripe-Signature', `t=${seconds},v1=${sign(secret, `${seconds}.${body}`, 'hex')}`]];
    case 'github':
      return [['X-Hub-Signature-256', `sha256=${sign(secret, body, 'hex')}`]];
  }
}

/** Secrets of Standard Webhooks are bytes in base64 behind `whsec_`; any other text is the key itself. */
function keyOf(secret: string): string | Buffer {
  return secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : secret;
}

function sign(key: string | Buffer, text: string, encoding: 'hex' | 'base64'): string {
  return createHmac('sha256', key).update(text).digest(encoding);
}
