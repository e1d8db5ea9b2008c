import type { KeyMaterial, ProbeExpectation, ProbeKind, RequestCredentials } from './scheme';

export const unknownKey = ({ runId }: Pick<KeyMaterial, 'runId'>): string => `standin-unknown-key-${runId}`;

/** A key as a pair of the query. */
export const inQuery = (name: string, key: string): RequestCredentials => ({
  headers: [],
  query: [`${encodeURIComponent(name)}=${encodeURIComponent(key)}`],
});

/** A kind that has nothing to do with the right key. */
export const keyless = (title: string, make: (unknown: string) => RequestCredentials): ProbeKind => ({
  title,
  expects: 'refused',
  credentials: (material) => make(unknownKey(material)),
});

/** A kind that is made of the right key. */
export const keyed = (
  title: string,
  expects: ProbeExpectation,
  make: (key: string, material: KeyMaterial) => RequestCredentials | undefined,
): ProbeKind => ({
  title,
  expects,
  credentials: (material) => (material.key === undefined ? undefined : make(material.key, material)),
});
