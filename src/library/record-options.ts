import { inGroup, type OptionTable } from '../core/options/option-table';
import { booleanValue, stringList, stringValue, wholeNumberWithin } from '../core/options/option-types';
import type { DescriptionOptions } from '../files/load-api';
import { DESCRIPTION_OPTIONS } from './description-options';
import { CONNECTION_OPTIONS } from './target-options';

/** What `standin record` is told. */
export interface RecordOptions extends DescriptionOptions {
  /** Where the service is. Paths pass as they are: one of its own only says where those of the description begin. */
  readonly target: string;
  /** File of the contract. The recording stands beside it, `NAME.recording.ndjson`. */
  readonly out: string;
  /** File or address of the API description; one is inferred where none is named. */
  readonly description?: string | undefined;
  readonly port?: number | undefined;
  readonly host?: string | undefined;
  readonly ca?: string | undefined;
  readonly insecure?: boolean | string | undefined;
  /** Left out: pages of this machine. */
  readonly corsOrigins?: readonly string[] | undefined;
  readonly secretHeaders?: readonly string[] | undefined;
  readonly secretPointers?: readonly string[] | undefined;
  /** Replace personal data by made-up values of the same format? */
  readonly anonymise?: boolean | undefined;
  /** A recording of the same course of things: what differs between the two is noise. */
  readonly twice?: string | undefined;
  /** Where the description that is inferred is written to. */
  readonly draftSpec?: string | undefined;
  /** Does what is recorded go into the contract that is there? */
  readonly update?: boolean | undefined;
  /** May a contract and a recording that are there be written over? */
  readonly force?: boolean | undefined;
  readonly failOnDrift?: boolean | undefined;
}

export const DEFAULT_RECORD_PORT = 4020;

/** Where traffic is made into a contract: the same for each source of it. */
export const CONTRACT_FROM_TRAFFIC_OPTIONS = {
  ...inGroup('Contract', {
    out: {
      flag: '--out <file>',
      doc: 'the contract to write; required',
      type: stringValue,
      path: 'file',
    },
    update: {
      flag: '--update',
      doc: 'bring what was recorded into the contract that is there, and keep what people changed in it',
      type: booleanValue,
    },
    force: {
      flag: '--force',
      doc: 'write over a contract and a recording that are there',
      type: booleanValue,
      isConsent: true,
    },
    twice: {
      flag: '--twice <file>',
      doc: 'a recording of the same course of things: what differs between the two is noise',
      type: stringValue,
      path: 'file',
    },
    draftSpec: {
      flag: '--draft-spec <file>',
      doc: 'write the description that is inferred where none is named',
      type: stringValue,
      path: 'file',
    },
  }),
  ...inGroup('Secrets', {
    secretHeaders: {
      flag: '--secret-header <name>',
      doc: 'a header whose value is a secret, beside those that are known to be',
      type: stringList,
      isRepeated: true,
    },
    secretPointers: {
      flag: '--secret-pointer <pointer>',
      doc: 'a JSON pointer to a secret in bodies, such as /user/pin',
      type: stringList,
      isRepeated: true,
    },
    anonymise: {
      flag: '--anonymise',
      doc: 'replace names, addresses, phone numbers and other personal data by made-up values of the same format',
      type: booleanValue,
    },
  }),
} as const;

export const RECORD_OPTIONS: OptionTable<keyof RecordOptions> = {
  ...inGroup('Target', {
    target: {
      flag: '--target <url>',
      doc: 'where the service is, such as https://staging.example.com; required',
      type: stringValue,
    },
  }),
  ...inGroup('Proxy', {
    port: {
      flag: '-p, --port <port>',
      doc: 'port to listen on; 0 takes any free one',
      type: {
        ...wholeNumberWithin(0, 65_535, 'a port'),
        expectedText: 'a port from 0 to 65535; 0 takes any free one',
      },
      default: DEFAULT_RECORD_PORT,
    },
    host: { flag: '--host <address>', doc: 'address to listen on', type: stringValue, default: '127.0.0.1' },
    corsOrigins: {
      flag: '--cors <origin...>',
      doc: 'origins of web pages that may read what the target itself lets none read; * for any, "off" for none',
      type: stringList,
      default: 'those of this machine',
      isRepeated: true,
    },
  }),
  ...inGroup('Connection', { ca: CONNECTION_OPTIONS.ca, insecure: CONNECTION_OPTIONS.insecure }),
  ...inGroup('Description', {
    description: {
      flag: '--spec <file>',
      doc: 'OpenAPI 3.x or Swagger 2.0, YAML or JSON, that the traffic is judged by: a file or its address',
      type: stringValue,
      default: 'one is inferred from the traffic',
      path: 'file',
    },
  }),
  ...DESCRIPTION_OPTIONS,
  ...CONTRACT_FROM_TRAFFIC_OPTIONS,
  ...inGroup('Output', {
    failOnDrift: {
      flag: '--fail-on-drift',
      doc: 'exit code 1 where the traffic does not fit the description',
      type: booleanValue,
    },
  }),
};
