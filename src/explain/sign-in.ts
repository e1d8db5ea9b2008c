import { peopleOf } from '../issuer/issuer-users';
import { scopesOf, SignInPlaces } from '../issuer/sign-in-places';
import { signInOf } from '../security/issued-credentials';
import type { ExplainedMock } from './explained-mock';

/** How somebody gets the tokens that operations ask for, with `--issuer`. */
export interface SignInExplanation {
  /** Schemes that tokens of the issuer are good for. */
  readonly schemes: readonly string[];
  /** Path of the collection whose items sign in; `undefined` where there is none, and every name will do. */
  readonly people: string | undefined;
  readonly scopes: readonly string[];
  /** Addresses of the description at which the issuer answers as well, by path. */
  readonly paths: readonly string[];
  /** Operations of the description that sign somebody in: their tokens are of the same kind. */
  readonly logins: readonly string[];
}

/** @returns `undefined` for a description that asks for no tokens */
export function explainSignIn({ api, mock }: ExplainedMock): SignInExplanation | undefined {
  const schemes = [...api.securitySchemes.values()].filter(
    ({ type, scheme }) => type === 'oauth2' || type === 'openIdConnect' || (type === 'http' && scheme === 'bearer'),
  );
  if (schemes.length === 0) return undefined;
  return {
    schemes: schemes.map(({ name }) => name),
    people: peopleOf(mock.resources)?.path,
    scopes: scopesOf(api),
    paths: new SignInPlaces(api, mock.context.mounts).named,
    logins: api.operations.filter((operation) => signInOf(operation) === 'in').map(({ id }) => id),
  };
}

/** The same in sentences. */
export function signInSentences({ schemes, people, scopes, paths, logins }: SignInExplanation): string[] {
  return [
    `standin mock --issuer gives tokens for ${schemes.join(', ')}: any client id and secret, ${
      people === undefined ? 'any name, because nobody is stored who could sign in' : `the items of ${people} sign in`
    }`,
    scopes.length === 0
      ? 'no operation asks for scopes'
      : `scopes: ${scopes.join(' ')}; who asks for none of them gets all`,
    ...(paths.length === 0 ? [] : [`the issuer answers at ${paths.join(', ')} too, as the description says`]),
    ...(logins.length === 0
      ? []
      : [`${logins.join(', ')} ${logins.length === 1 ? 'gives' : 'give'} tokens of the same kind`]),
    'in tests: app.tokenFor({ user, scopes }) of createMockServer({ issuer: true })',
  ];
}
