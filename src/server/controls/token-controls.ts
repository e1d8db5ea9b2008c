import type { TokenRequest } from '../../issuer/issuer';

/** Tokens for tests. */
export interface TokenControls {
  /**
   * An access token of the issuer beside the API, as somebody gets it who signs in: `Authorization: Bearer <token>`.
   *
   * @param request - whose, with which scopes, for how long. Default: the first user, every scope of the description, an hour
   * @returns a JSON Web Token (RFC 9068)
   * @throws ConfigError where there is no issuer, and for a user that is not stored
   */
  tokenFor(request?: TokenRequest): string;
}
