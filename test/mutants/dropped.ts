/** Mutants of the general list that the Petstore has no place for. */
export const DROPPED: Readonly<Record<string, string>> = {
  'SH-07':
    'No property is write-only, and the schemas are open, so that another property breaks nothing (see a variant).',
};

/** Mutants that mean something a little different here, because the Petstore lacks what they are about. */
export const ADAPTED: Readonly<Record<string, string>> = {
  'ST-14': 'Names of categories need not be unique: the conflicts of removals take the place of duplicates.',
  'SH-04': 'Pets have the id of a category, not a nested one: the defect nests it.',
  'SH-05': 'There are no tags: the optional description is null where it should be absent.',
  'SH-11': 'There are no photoUrls: the optional description is renamed.',
  'TY-01': 'Ids are integers here: the defect makes them strings.',
  'TY-02': 'There is no price: quantity takes its place.',
  'TY-10': 'There is no uuid: the entity tag, whose form is given by a pattern, takes its place.',
  'TY-11': 'There is no decimal member: ids beyond 53 bits take its place.',
  'AU-14': 'Keys do not expire: a key that is not known takes its place.',
  'BR-05': 'Pets have the transitions here, not orders.',
  'BR-07': 'Orders have no total: the stock takes its place.',
  'DE-06': 'The category disappears for readers although the server keeps it.',
  'EN-04': 'A redirect to another origin over HTTP takes the place of one to HTTPS.',
  'EN-06': 'Keys do not expire: what depends on the clock is the sunset of getPet.',
};

/** Benign variants of the general list that this contract does not leave free. */
export const DROPPED_VARIANTS: Readonly<Record<string, string>> = {
  'id reuse after delete': 'Ids are never reused (petstore.md §5).',
  'PUT re-creating after DELETE with 201': 'replacePet and replaceCategory document 404, and 201 is not documented.',
  'optional field absent vs null': 'Nothing is nullable.',
  'other default page size': 'limit has a documented default.',
  'list order different when unspecified': 'sort has a documented default, and entries that are equal go by id.',
  'empty list on a fresh server': 'An option of the second Petstore (`seed: none`), not something to add on the way.',
  'token scheme case accepted': 'RFC 9110 §11.1 demands it, and both servers do it.',
  '404 for unknown nested route': 'It is the rule of both servers already.',
};
