import type { CredentialLocations } from '../../security/credential-locations';
import type { State } from '../state/state';
import type { SettableClock } from './clock';
import type { Journal } from './journal';
import type { RateLimit } from './rate-limiter';
import type { SandboxLimits } from './sandbox-selection';

/** What sandboxes are made with. */
export interface SandboxesParts {
  readonly baseline: State;
  readonly clock: SettableClock;
  readonly seed: string;
  readonly rateLimit: RateLimit | undefined;
  readonly limits: SandboxLimits;
  /** Where requests carry what journals do not show. */
  readonly secrets?: CredentialLocations | undefined;
}

export interface SandboxFacts {
  readonly id: string;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  readonly items: number;
  readonly snapshots: readonly string[];
}

/** A journal, with the id of the sandbox that an entry is of; `undefined` for one that was forgotten. */
export interface JournalOfSandboxes {
  readonly journal: Journal;
  readonly ownerOf: (number: number) => string | undefined;
}
