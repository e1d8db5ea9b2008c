import type { FixtureItem } from '../formats/fixture';
import type { SourceDocument } from '../openapi/source-document';
import type { Key } from './order';
import type { SeedLedger } from './seed-ledger';

/** Where a row comes from that a mock began with. */
export type RowOrigin =
  | { readonly kind: 'fixture'; readonly document: SourceDocument; readonly pointer: string }
  /** Examples of the description that show it; of members that differ, the last one counts. */
  | { readonly kind: 'example'; readonly pointers: readonly string[] }
  /** From the schema and the seed. `asked`: the `count` of a fixture that wanted it. */
  | { readonly kind: 'made-up'; readonly asked: Pick<FixtureItem, 'document' | 'pointer'> | undefined };

/** @returns `undefined` for a row that the mock did not begin with */
export type OriginOf = (collection: string, key: Key) => RowOrigin | undefined;

/** The same for rows of fixtures. */
export function fixtureOrigins(ledger: SeedLedger): OriginOf {
  return (collection, key) => {
    const item = ledger.origin(collection, key);
    if (item === undefined) return undefined;
    const { document, pointer, isMadeUp } = item;
    return isMadeUp === true
      ? { kind: 'made-up', asked: { document, pointer } }
      : { kind: 'fixture', document, pointer };
  };
}
