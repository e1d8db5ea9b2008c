import { createHash, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';

/** How tokens are signed: what each client must be able to check (OpenID Connect Core 1.0 §15.1). */
export const SIGNING_ALGORITHM = 'RS256';

/** The pair of keys that an issuer signs with. */
export interface SigningKeys {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** The thumbprint of the public key (RFC 7638). */
  readonly id: string;
}

/** @param privateKey - of RSA */
export function signingKeys(privateKey: KeyObject): SigningKeys {
  const publicKey = createPublicKey(privateKey);
  const { e, n } = publicKey.export({ format: 'jwk' });
  const id = createHash('sha256')
    .update(JSON.stringify({ e, kty: 'RSA', n }))
    .digest('base64url');
  return { privateKey, publicKey, id };
}

/** A key that nobody else has. */
export function newSigningKey(): KeyObject {
  return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
}
