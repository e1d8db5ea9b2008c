import { isJsonObject, type JsonObject, type JsonValue, ownProperty } from '../core/json/json-value';
import { scalarText } from '../core/json/stringify-json';
import { foldedName } from '../core/text/inflection';
import type { Item } from '../mock/state/item';
import { collectionOf, type State } from '../mock/state/state';
import type { ResourceDescription } from '../resources/model/resource';

/** Somebody who may sign in. */
export interface IssuerUser {
  /** The key of the item, as a text; what tokens say as `sub`. */
  readonly id: string;
  /** What to call the user on a page. */
  readonly label: string;
  /** Standard claims (OpenID Connect Core 1.0 §5.1), and `roles`. */
  readonly claims: JsonObject;
}

/** Names of collections whose items are people, the likeliest first. */
const PEOPLE = [
  'user',
  'account',
  'customer',
  'member',
  'person',
  'profile',
  'employee',
  'staff',
  'student',
  'patient',
  'player',
  'contact',
  'client',
  'owner',
  'author',
  'admin',
];

/** By folded name of a property, the claim that it is (OpenID Connect Core 1.0 §5.1; roles: RFC 9068 §2.2.3.1). */
const CLAIMS: ReadonlyMap<string, string> = new Map([
  ['name', 'name'],
  ['fullname', 'name'],
  ['displayname', 'name'],
  ['firstname', 'given_name'],
  ['givenname', 'given_name'],
  ['lastname', 'family_name'],
  ['familyname', 'family_name'],
  ['surname', 'family_name'],
  ['username', 'preferred_username'],
  ['login', 'preferred_username'],
  ['loginname', 'preferred_username'],
  ['handle', 'preferred_username'],
  ['nickname', 'nickname'],
  ['email', 'email'],
  ['emailaddress', 'email'],
  ['mail', 'email'],
  ['phone', 'phone_number'],
  ['phonenumber', 'phone_number'],
  ['picture', 'picture'],
  ['avatar', 'picture'],
  ['avatarurl', 'picture'],
  ['website', 'website'],
  ['birthdate', 'birthdate'],
  ['gender', 'gender'],
  ['locale', 'locale'],
  ['timezone', 'zoneinfo'],
  ['role', 'roles'],
]);

/** Properties by which people say who they are. */
const SIGNS: ReadonlySet<string> = new Set(['email', 'preferred_username']);

/** Which collection holds the people who sign in; `undefined` where there is none. */
export function peopleOf<Resource extends ResourceDescription>(resources: readonly Resource[]): Resource | undefined {
  const ranked = resources.flatMap((resource) => {
    if (resource.kind !== 'collection' || resource.scope.length > 0 || resource.isMembership) return [];
    const at = PEOPLE.indexOf(foldedName(resource.path.split('/').at(-1) ?? ''));
    const hasSign = [...resource.properties.keys()].some((name) => SIGNS.has(claimOf(name) ?? ''));
    // An account may be one at a bank, a contact one of an address book.
    return at === 0 || (at > 0 && hasSign) ? [{ resource, rank: hasSign ? at : at + PEOPLE.length }] : [];
  });
  return ranked.sort((one, other) => one.rank - other.rank)[0]?.resource;
}

function claimOf(name: string): string | undefined {
  return CLAIMS.get(foldedName(name));
}

/** The people of a state, in the order of their keys. */
export class IssuerUsers {
  private readonly resource: ResourceDescription | undefined;
  private readonly state: State;

  constructor(resources: readonly ResourceDescription[], state: State) {
    this.resource = peopleOf(resources);
    this.state = state;
  }

  /** @param limit - so many at most */
  first(limit: number): IssuerUser[] {
    const users: IssuerUser[] = [];
    for (const user of this.all()) {
      if (users.length >= limit) break;
      users.push(user);
    }
    return users;
  }

  /** @param name - a key, a user name or an e-mail address */
  find(name: string): IssuerUser | undefined {
    let found: IssuerUser | undefined;
    for (const user of this.all()) {
      if (user.id === name) return user;
      const { email, preferred_username: userName } = user.claims;
      if (userName === name || (typeof email === 'string' && email.toLowerCase() === name.toLowerCase()))
        found ??= user;
    }
    return found;
  }

  private *all(): Generator<IssuerUser> {
    const { resource, state } = this;
    const collection = resource && collectionOf(state, resource.path);
    if (collection === undefined) return;
    for (const [key, item] of collection.entries()) yield userOf(String(key), item);
  }
}

function userOf(id: string, item: Item): IssuerUser {
  const claims = claimsOf(item);
  const { name, given_name: given, family_name: family, preferred_username: userName, email } = claims;
  const whole = name ?? [given, family].filter((part) => typeof part === 'string').join(' ');
  const labels = [whole, userName, email].filter((each) => typeof each === 'string' && each !== '');
  const [label = id, detail] = labels as string[];
  return {
    id,
    label: detail === undefined ? label : `${label} (${detail})`,
    claims: whole === '' || name !== undefined ? claims : { ...claims, name: whole },
  };
}

/** What an item says of a person, in the words of OpenID Connect. */
function claimsOf(item: Item): JsonObject {
  const claims: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(item)) {
    const claim = claimOf(name);
    if (claim === undefined || claims[claim] !== undefined) continue;
    const claimed = claim === 'roles' ? rolesOf(value) : textOf(value);
    if (claimed !== undefined) claims[claim] = claimed;
  }
  if (claims['email'] !== undefined) claims['email_verified'] = true;
  return claims;
}

function textOf(value: JsonValue): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** `admin`, `["admin"]`, or `[{ "name": "admin" }]`. */
function rolesOf(value: JsonValue): string[] | undefined {
  const roles = (Array.isArray(value) ? value : [value]).flatMap((each) => {
    const role = isJsonObject(each) ? (ownProperty(each, 'name') ?? null) : each;
    return typeof role === 'string' || typeof role === 'number' ? [scalarText(role)] : [];
  });
  return roles.length === 0 ? undefined : roles;
}

/** Somebody of whom nothing is stored. */
export function unknownUser(name: string): IssuerUser {
  const isAddress = /^\S+@\S+$/.test(name);
  const claims = isAddress ? { name, email: name, email_verified: true } : { name, preferred_username: name };
  return { id: name, label: name, claims };
}
