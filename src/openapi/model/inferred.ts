import { isJsonObject } from '../../core/json/json-value';
import type { ApiModel } from './api-model';

/** Marks a description that was inferred from traffic: it says what was seen, not what is promised. */
export const INFERRED = 'x-standin-inferred';

export function isInferred({ document: { root } }: Pick<ApiModel, 'document'>): boolean {
  return isJsonObject(root) && Object.hasOwn(root, INFERRED);
}
