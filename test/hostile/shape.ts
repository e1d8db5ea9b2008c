/** How a hostile service behaves: every trait is one of a few, drawn by the seed. */
export const TRAITS = {
  /** How the list shows its rows. */
  list: ['array', 'envelope', 'map', 'pages', 'next-link', 'hides-rows', 'late', 'none'],
  /** What a creation is answered with. */
  answer: [
    '201',
    '201',
    '200',
    '200-empty',
    '201-empty',
    '202',
    '303',
    '500',
    'envelope',
    'no-key',
    '201-location',
    '422-stored',
    'other-id',
  ],
  /** Whose key a new row gets. */
  key: ['counter', 'highest-plus-one', 'lowest-free', 'uuid', 'client', 'client-put'],
  keyName: ['id', 'rowId', 'code'],
  /** What a write to the path of the collection, or beside it, does. */
  bulk: [
    'none',
    'patch',
    'patch-with-key',
    'put',
    'put-with-key',
    'delete',
    'post-delete',
    'by-property',
    'patch-and-delete',
  ],
  slash: [false, false, true],
  /** Does it take a value of a wrong type for what it may mean? */
  coerces: [false, true],
  removal: ['204', '200', '202', 'soft', 'archived', 'none', '204'],
  /** What an unknown path or id is answered with. */
  unknown: ['404', '404', '200', '410'],
  /** What else happens while the run goes on. */
  others: ['still', 'touched', 'come-and-go'],
  /** What a PUT to an id does that nothing has. */
  upsert: [false, true],
  /** Does the body of a PUT that makes a row say its key once more? Where wrong types are taken, the key of the body counts. */
  bodyKey: [false, true],
  /** Does the body of a creation say once more what the row is in? Where wrong types are taken, that of the body counts. */
  parentInBody: [false, true],
  /** Is a creation with a key that is there already taken as a change of that row? */
  merges: [false, true],
  /** Is a change answered with another row, into which the changed one was merged? */
  joins: [false, false, false, true],
  update: ['patch', 'put', 'both', 'none'],
  /** Does a row have a default of its own for what the path of a bulk removal names? */
  stamp: [false, true],
  /** Where rows are: at the root, below a box, below a tenant that nobody can make, or beside a box that they must name. */
  layout: ['flat', 'flat', 'flat', 'nested', 'tenants', 'references'],
  /** Is a key asked for: nowhere, everywhere, nowhere although it is documented, or of reads alone? */
  auth: ['none', 'none', 'checked', 'unchecked', 'reads-alone'],
} as const;

export type Shape = { readonly [Trait in keyof typeof TRAITS]: (typeof TRAITS)[Trait][number] } & {
  /** Is a creation taken as a change of any row with the same `level`? Nobody can see that before, so that none is drawn. */
  readonly natural?: boolean;
};

/** A service that does what one expects. */
export const PLAIN: Shape = {
  ...{ list: 'array', answer: '201', key: 'counter', keyName: 'id', slash: false, removal: '204', update: 'both' },
  ...{ bulk: 'none', unknown: '404', others: 'still', coerces: false, upsert: false, merges: false, stamp: false },
  ...{ joins: false, bodyKey: false, parentInBody: false, layout: 'flat', auth: 'none' },
};

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
export function numbersOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function drawShape(seed: number): Shape {
  const next = numbersOf(Math.imul(seed + 1, 0x9e3779b1));
  const drawn = Object.entries(TRAITS).map(([trait, values]) => [trait, values[Math.floor(next() * values.length)]]);
  return Object.fromEntries(drawn) as Shape;
}

/** Can a client find out which rows it made, and remove them? Then nothing of the run may be left. */
export function isRemovable({ list, removal, answer, key, others, coerces, joins }: Shape): boolean {
  // A key that was free again may be somebody else's by now, and a row that has it may be.
  const isReused = others === 'come-and-go' && (key === 'highest-plus-one' || key === 'lowest-free');
  if (removal === 'none' || isReused) return false;
  // A body that nobody can be told by, and an answer that names nothing.
  if (coerces && !['201', '200', '201-location', 'envelope', '303'].includes(answer)) return false;
  const isShown = list !== 'none' && list !== 'hides-rows';
  // What was refused or named as another one is only told.
  if (answer === '422-stored' || answer === 'other-id' || joins) return false;
  return isShown || ['201', '201-location', 'envelope'].includes(answer);
}

/** Can nobody know of what is left: it was refused, or told to be another row, and no list shows it as it was sent? */
export function isUnknowable({ answer, list, coerces }: Shape): boolean {
  const isShown = !['none', 'hides-rows', 'late'].includes(list);
  return (answer === '422-stored' && (coerces || !isShown)) || (answer === 'other-id' && !isShown);
}
