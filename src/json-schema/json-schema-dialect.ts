/** A version of JSON Schema that schemas can be written in. */
export type JsonSchemaDialect = 'draft-04' | 'draft-06' | 'draft-07' | '2019-09' | '2020-12';

const BY_URI: readonly (readonly [RegExp, JsonSchemaDialect])[] = [
  [/^https?:\/\/json-schema\.org\/draft-04\/schema$/, 'draft-04'],
  [/^https?:\/\/json-schema\.org\/draft-06\/schema$/, 'draft-06'],
  [/^https?:\/\/json-schema\.org\/draft-07\/schema$/, 'draft-07'],
  [/^https?:\/\/json-schema\.org\/draft\/2019-09\/schema$/, '2019-09'],
  [/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema$/, '2020-12'],
  // The dialects of OpenAPI 3.1 and 3.2, one for each patch: 2020-12 and a vocabulary of annotations.
  [/^https:\/\/spec\.openapis\.org\/oas\/3\.[12]\/(?:dialect|schema-base)\/[\w-]+$/, '2020-12'],
];

/**
 * The dialect that a `$schema` or `jsonSchemaDialect` names (OAS 3.1 §4.8.24.7 "Specifying Schema Dialects").
 *
 * @returns `undefined` for one that is not known: nothing can be judged by it
 */
export function dialectOf(uri: string): JsonSchemaDialect | undefined {
  const name = uri.replace(/#$/, '');
  return BY_URI.find(([known]) => known.test(name))?.[1];
}
