/** A row of a server, by what names it. */
export type Rows = ReadonlyMap<string, string>;

/** A finding that is right: what the server or its description does, and why that is worth telling. */
export interface TrueFinding {
  /** Id of the check. */
  readonly check: string;
  /** Operations that it may be about; `any` for what is one matter whatever the operation. */
  readonly operations: readonly string[] | 'any';
  /** What its message holds, where the check alone says too little. */
  readonly message?: RegExp;
  readonly reason: string;
}

/** A server that runs on this machine, and what the runner needs to know of it. */
export interface RunningServer {
  readonly version: string;
  readonly baseUrl: string;
  /** Further flags of `standin verify`, and environment variables with its keys. */
  readonly flags: readonly string[];
  /** These flags for a description that the recorder inferred, where its schemes have other names. */
  readonly inferredFlags?: readonly string[];
  readonly keys?: Readonly<Record<string, string>>;
  /** File of its description. */
  readonly description: string;
  /** Everything that it keeps, read with plain HTTP. */
  readonly dump: () => Promise<Rows>;
}

/** What a client does at a server while it is recorded. */
export interface Session {
  /** Programs that it needs. */
  readonly needs: readonly string[];
  /** Texts that no file may have. */
  readonly secrets: readonly string[];
  /** @param recorderUrl - where the recorder listens, with the path of the base URL */
  readonly act: (recorderUrl: string, run: RunClient) => void | Promise<void>;
}

/** Runs a client until it ends, and gives what it wrote to stdout. */
export type RunClient = (command: string, args: readonly string[]) => string;

/** What is left behind and no operation can remove, and why: it counts as explained only where the run tells of it. */
export interface Residue {
  readonly rows: RegExp;
  /** What the run says of it. */
  readonly told: RegExp;
  readonly reason: string;
}

/** A server from a package of Debian or npm. */
export interface ServerCase {
  readonly name: string;
  /** Packages of Debian to install where it is missing; empty where `prepare` installs it. */
  readonly packages: readonly string[];
  /** Fetches what can be fetched of `needs`, unless it is there. */
  readonly prepare?: () => void;
  /** Programs and files that have to be there. */
  readonly needs: readonly string[];
  readonly findings: readonly TrueFinding[];
  /** What is found of the server itself where its description was inferred from a recording. */
  readonly findingsOfInferred?: readonly TrueFinding[];
  /** What requests find besides that are made of its description alone. */
  readonly findingsWithoutContract: readonly TrueFinding[];
  /** Flags of `standin verify` without which these requests may change nothing. */
  readonly flagsWithoutContract?: readonly string[];
  /** Operations that a careful person would not call in mode own either, and why. */
  readonly outOfReach?: Readonly<Record<string, string>>;
  /** What the server itself leaves of requests that failed, where the run tells so. */
  readonly residue?: Residue;
  /** A session of a client that is recorded and replayed; `undefined` where mode own could replay little of it. */
  readonly session?: Session;
  /** Starts it in a folder of its own, and puts rows of other people on it. */
  readonly start: (folder: string, run: (command: string, args: readonly string[]) => void) => Promise<RunningServer>;
}
