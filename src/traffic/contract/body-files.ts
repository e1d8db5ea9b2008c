/** A file that a contract names, as `file`. */
export interface DraftFile {
  /** From the folder of the contract. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** The files beside a contract: what steps send and no text can say. */
export class BodyFiles {
  readonly #folder: string;
  readonly #files = new Map<string, Uint8Array>();

  /** @param folder - in which they are, from that of the contract: `shop.files` */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * @param name - what it was called where it was recorded
   * @returns its path for the contract: the same one for the same bytes
   */
  add(name: string, bytes: Uint8Array): string {
    const { stem, extension } = safeName(name);
    for (let number = 1; ; number++) {
      const path = `${this.#folder}/${number === 1 ? stem : `${stem}-${number}`}${extension}`;
      const known = this.#files.get(path);
      if (known === undefined) this.#files.set(path, bytes);
      if (known === undefined || Buffer.compare(known, bytes) === 0) return path;
    }
  }

  all(): DraftFile[] {
    return [...this.#files].map(([path, bytes]) => ({ path, bytes }));
  }
}

const LONGEST = 60;

/** A name that every system takes, and that leads to no other folder. */
function safeName(name: string): { readonly stem: string; readonly extension: string } {
  const plain = (name.split(/[\\/]/).at(-1) ?? '').replace(/[^\w.-]+/g, '-').replace(/^[.-]+|[.-]+$/g, '');
  const [, stem = '', extension = ''] = /^(.*?)(\.[A-Za-z0-9]{1,8})?$/.exec(plain) ?? [];
  return { stem: stem.slice(0, LONGEST) || 'file', extension };
}
