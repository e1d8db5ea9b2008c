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
  /** Further flags of `standin verify`. */
  readonly flags: readonly string[];
  /** File of its description. */
  readonly description: string;
  /** Everything that it keeps, read with plain HTTP. */
  readonly dump: () => Promise<Rows>;
}

/** A server from a package of Debian. */
export interface ServerCase {
  readonly name: string;
  /** Packages that bring it. */
  readonly packages: readonly string[];
  /** Programs and files that have to be there. */
  readonly needs: readonly string[];
  readonly findings: readonly TrueFinding[];
  /** Starts it in a folder of its own, and puts rows of other people on it. */
  readonly start: (folder: string, run: (command: string, args: readonly string[]) => void) => Promise<RunningServer>;
}
