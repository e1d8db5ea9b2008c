import type { Mock } from '../mock/create-mock';
import type { ApiModel } from '../openapi/model/api-model';

/** What is explained: a mock, the description that it was made from, and the packs that were used. */
export interface ExplainedMock {
  readonly api: ApiModel;
  readonly mock: Mock;
  readonly packs: readonly PackExplanation[];
}

/** A pack that is used: what an API means beyond its description. */
export interface PackExplanation {
  readonly name: string;
  readonly about: string;
  readonly folder: string;
  /** Was it asked for, or chosen by the title of the description? */
  readonly chosen: 'named' | 'title';
}
