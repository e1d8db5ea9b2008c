import type { MeaningsOfTaken } from './when-taken';

/** What a creation does with an item that is there already. */
export interface CreationMeaning extends MeaningsOfTaken {
  /** Member by which {@link whenTaken} finds that item; `undefined` for the key. */
  readonly foundBy: string | undefined;
  /** Member of the body that holds the key of what is kept already, and is put where the path says. */
  readonly relatesBy: string | undefined;
}
