import type { Operation } from '../openapi/model';
import type { SentParameters } from './needed-parameters';
import type { SentMember } from './sent-members';

/** What is known of a creation before it is sent. */
export interface CreationFacts {
  /** Why it stays, as the contract says; `undefined` when it can be removed. */
  readonly leaves?: string | undefined;
  /** Does the body hold the id of the run? Only then can what it makes be told by that. */
  readonly marked?: boolean | undefined;
  /** Whose key makes it, and is to remove it: `valid`, or the name of an identity. */
  readonly auth?: string | undefined;
  /** What the body has, by which what it makes is told from what is somebody else's. */
  readonly sent?: readonly SentMember[] | undefined;
  /** Does its contract say that it makes something? Then a success is believed. Not in the ledger. */
  readonly makes?: boolean | undefined;
  /** The step that made it, by which another one says that it removes it. Not in the ledger. */
  readonly step?: string | undefined;
  /** What its request had beside its path, which looks at it and its removal may need. Not in the ledger. */
  readonly like?: SentParameters | undefined;
}

/** Something that a run made, or may have made. */
export interface Creation extends CreationFacts {
  readonly entry: number;
  readonly operation: Operation;
  /** Where the creation was sent, below the base URL. */
  readonly path: string;
  /** Path of what was made, below the base URL; `undefined` when that is not known. */
  item: string | undefined;
  /** `pending` until an answer told; where none does, for ever. */
  state: 'pending' | 'there' | 'refused' | 'removed';
  /** Where what an answer may be about stands, of which nobody knows whether the run made it. */
  perhaps?: string | undefined;
  /** May that be somebody else's, whatever it holds by now? Then it is told, and never removed. */
  mayBeOthers?: boolean | undefined;
  /** Where it may stand, of which the answer named several places. */
  candidates?: readonly string[] | undefined;
  /** What was answered that does not tell whether anything was made. */
  answered?: number | undefined;
  /** Was nothing there when it was sent? Of a PUT and a PATCH. */
  wasAbsent?: boolean | undefined;
  /** What the run put there since. */
  changed?: readonly SentMember[] | undefined;
  /** What a step took out of the answer to it, as it stands in a path. Not in the ledger. */
  given?: readonly string[] | undefined;
  /** Did an answer show it where it stands? */
  wasSeen?: boolean | undefined;
  /** Was a removal of it, or of what it stands below, answered with a success? */
  isRemovalAnswered?: boolean | undefined;
}

/** Where answers come from, and what the run's own things hold. */
export interface Answerer {
  readonly baseUrl: string;
  readonly runId: string;
}
