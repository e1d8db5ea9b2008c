import type { ApiModel } from '../../openapi/model/api-model';
import type { Contract } from '../../formats/contract/contract';
import type { CleanExchange } from '../exchange/recorded-exchange';

/** What an export is made for, beside the contract. */
export interface ExportContext {
  /** Scheme, host, port and base path of the service; no slash at the end. */
  readonly baseUrl: string;
  /** Version of the tool. */
  readonly version: string;
  /** The description, as the written file refers to it: a relative path, or an address. */
  readonly description: string;
  /** What was exchanged when the contract was replayed; `undefined` for kinds that do not ask for it. */
  readonly replay?: Replayed | undefined;
}

/** What became of a contract when it was replayed. */
export interface Replayed {
  /** In the order in which they were sent. */
  readonly exchanges: readonly CleanExchange[];
  /** Steps that were not sent, and those that did not pass: what is exchanged for them is not what the contract says. */
  readonly lost: readonly Lost[];
}

/** What could not be said in the format. */
export interface Lost {
  /** Name of the step; `undefined` for the contract as a whole. */
  readonly step: string | undefined;
  /** In words: `expect.body /tags: $unordered`. */
  readonly what: string;
}

export interface Exported {
  readonly text: string;
  readonly lost: readonly Lost[];
}

/** A format that contracts can be written in. */
export interface ExportKind {
  /** Of the file, behind the name of the contract: `arazzo.yaml`. */
  readonly extension: string;
  /** Is the contract replayed first, because the format holds what was exchanged? */
  readonly needsRun: boolean;
  /** Is the file a program? */
  readonly isExecutable: boolean;
  write(contract: Contract, api: ApiModel, context: ExportContext): Exported;
}

/** What is lost, gathered while a contract is written; each once. */
export class Losses {
  private readonly known = new Map<string, Lost>();

  add(step: string | undefined, what: string): void {
    this.known.set(`${step ?? ''}\n${what}`, { step, what });
  }

  get all(): readonly Lost[] {
    return [...this.known.values()];
  }
}
