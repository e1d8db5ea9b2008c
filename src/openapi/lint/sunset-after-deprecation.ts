import { joinPointer } from '../../core/json/json-pointer';
import { lifecycleDateKeys, parseDate, readLifecycle } from '../model/lifecycle';
import { stringOr } from '../read/references';
import type { Lint, LintFinding } from './lint';

/** The dates of a deprecation are dates, and an operation is not gone before it is deprecated. */
export const sunsetAfterDeprecation: Lint = {
  id: 'sunset-after-deprecation',
  source: 'RFC 9745 §4; RFC 8594 §3',
  severity: 'warning',
  run({ operations }) {
    return operations.flatMap(({ operation }): LintFinding[] => {
      const keys = lifecycleDateKeys(operation.value);
      const at = (key: string): string => joinPointer(operation.pointer, key);
      const unreadable = [keys.since, keys.sunset]
        .filter((key) => key !== undefined)
        .filter((key) => parseDate(operation.value[key]) === undefined);
      if (unreadable.length > 0) {
        return unreadable.map((key) => ({
          pointer: at(key),
          message: `${key} is not a date`,
          expected: 'a date such as "2030-12-05" or a date-time of RFC 3339',
        }));
      }
      const { deprecatedSince, sunset } = readLifecycle(operation.value);
      if (
        keys.sunset === undefined ||
        deprecatedSince === undefined ||
        sunset === undefined ||
        sunset >= deprecatedSince
      ) {
        return [];
      }
      return [
        {
          pointer: at(keys.sunset),
          message: `The sunset ${stringOr(operation.value[keys.sunset], '')} is earlier than the deprecation`,
          expected: `a date on or after ${new Date(deprecatedSince).toISOString().slice(0, 10)}`,
        },
      ];
    });
  },
};
