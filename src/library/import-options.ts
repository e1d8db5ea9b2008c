import { ConfigError } from '../core/errors/standin-error';
import { inGroup, type OptionTable } from '../core/options/option-table';
import { stringValue } from '../core/options/option-types';
import { type OriginTraffic, originsOf } from '../traffic/readers/origins';
import type { RecordedExchange } from '../traffic/exchange/recorded-exchange';
import type { DescriptionOptions } from '../files/load-api';
import { DESCRIPTION_OPTIONS } from './description-options';
import { CONTRACT_FROM_TRAFFIC_OPTIONS, type RecordOptions } from './record-options';

/** Options of `standin import`. */
export interface ImportOptions
  extends
    DescriptionOptions,
    Omit<RecordOptions, 'target' | 'out' | 'port' | 'host' | 'ca' | 'insecure' | 'corsOrigins' | 'failOnDrift'> {
  /** Address of the API, where the traffic went to several. Default: the origin that has most calls of an API. */
  readonly target?: string | undefined;
  /** File of the contract. Left out: what is in the files is told, and nothing is written. */
  readonly out?: string | undefined;
}

export const IMPORT_OPTIONS: OptionTable<keyof ImportOptions> = {
  ...inGroup('Traffic', {
    target: {
      flag: '--target <url>',
      doc: 'address of the API, where the traffic went to several',
      type: stringValue,
      default: 'the one with most calls of an API',
    },
  }),
  ...inGroup('Description', {
    description: {
      flag: '--spec <file>',
      doc: 'OpenAPI 3.x or Swagger 2.0 of the API, YAML or JSON: a file or its address',
      type: stringValue,
      default: 'one is inferred from the traffic',
      path: 'file',
    },
  }),
  ...DESCRIPTION_OPTIONS,
  ...CONTRACT_FROM_TRAFFIC_OPTIONS,
  ...inGroup('Contract', {
    out: { ...CONTRACT_FROM_TRAFFIC_OPTIONS.out, doc: 'the contract to write; without it the traffic is only listed' },
  }),
};

/** Which traffic is that of the API, and which is left aside. */
export interface TargetChoice {
  /** `undefined` where there is no traffic at all. */
  readonly chosen: OriginTraffic | undefined;
  readonly others: readonly OriginTraffic[];
}

/**
 * @param target - an address of the API, of which the origin counts; `undefined`: the one with most calls is taken
 * @throws ConfigError `CONFIG_INVALID` for an address that no traffic went to
 */
export function chooseTarget(exchanges: readonly RecordedExchange[], target: string | undefined): TargetChoice {
  const [first, ...rest] = originsOf(exchanges);
  if (target === undefined || first === undefined) return { chosen: first, others: rest };
  const asked = URL.canParse(target) ? new URL(target).origin : undefined;
  const all = [first, ...rest];
  const chosen = all.find(({ origin }) => origin === asked);
  if (chosen !== undefined) return { chosen, others: all.filter((each) => each !== chosen) };
  throw new ConfigError('CONFIG_INVALID', `No traffic went to ${target}, which --target names`, {
    hint: `There is traffic to ${all.map(({ origin }) => origin).join(', ')}.`,
  });
}
