import { loadDescriptionText } from '../../../src/files/load-description';
import { contractText } from '../../../src/traffic/contract/contract-text';
import { type Derivation, deriveContract } from '../../../src/traffic/contract/derive-contract';
import type { CleanExchange } from '../../../src/traffic/exchange/recorded-exchange';
import { draftDescriptionText } from '../../../src/traffic/inferred/draft-text';
import { inferDescription } from '../../../src/traffic/inferred/infer-description';

/** The contract of traffic by a description, or by the one that is inferred from it. */
export function derivedFrom(
  exchanges: readonly CleanExchange[],
  description?: string,
  filesFolder?: string,
): Derivation {
  const text = description ?? draftDescriptionText(inferDescription(exchanges, { title: 'Recorded' }));
  const { api } = loadDescriptionText(text, 'recorded.yaml');
  return deriveContract({ api, exchanges, basePath: '', name: 'Recorded', header: [], filesFolder });
}

/** The same as the text of its file. */
export function contractOf(exchanges: readonly CleanExchange[], description?: string): string {
  return contractText(derivedFrom(exchanges, description).draft);
}
