import { type Reply, Sender } from '../client';
import { textOf } from '../json';
import type { Header } from '../message';
import type { MutantProxy } from '../proxy';
import { dataOf, itemsOf, type Row, rowOf } from './envelope';

/** A resource that was made, with the address to read it at. */
export interface Made {
  readonly id: string;
  readonly path: string;
  readonly reply: Reply;
}

/** A client of an API with envelopes. */
export class EnvelopeClient extends Sender {
  private readonly home: string;

  /**
   * @param home - the path that collections are behind
   */
  constructor(proxy: Pick<MutantProxy, 'url' | 'endPauses'>, credential: Header, home: string) {
    super(proxy, credential);
    this.home = home;
  }

  async read(path: string): Promise<Row> {
    return dataOf(bodyOf(await this.get(path)));
  }

  async list(path: string): Promise<Row[]> {
    return itemsOf(bodyOf(await this.get(`${this.home}/${path}`)));
  }

  async meta(path: string): Promise<Row> {
    return rowOf(((await this.get(`${this.home}/${path}`)).fields as Row).meta);
  }
}

export const bodyOf = ({ text }: Reply): { readonly body: Buffer } => ({ body: Buffer.from(text) });

export function made(collection: string, reply: Reply): Made {
  const id = textOf(dataOf(bodyOf(reply)).id);
  return { id, path: `${collection}/${id}`, reply };
}
