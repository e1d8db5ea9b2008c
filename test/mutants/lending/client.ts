import { randomUUID } from 'node:crypto';
import type { Reply, Sending } from '../client';
import type { Json } from '../json';
import { EnvelopeClient, type Made, made } from '../frame/client';
import type { Row } from '../frame/envelope';
import type { MutantProxy } from '../proxy';
import { LENDING } from './dialect';

export const SHED = '/v2/harbour';
export const NOBODY = '00000000-0000-4000-8000-000000000000';

/** A client of the lending API, in one workspace. */
export class LendingClient extends EnvelopeClient {
  constructor(proxy: Pick<MutantProxy, 'url' | 'endPauses'>) {
    super(proxy, LENDING.credential('test-key'), SHED);
  }

  async tool(values: Row = {}, stock = 0): Promise<Made> {
    const body = { name: 'Drill', category: 'power', dailyRate: '6.50', ...values };
    const tool = made(`${SHED}/tools`, await this.post(`${SHED}/tools`, body));
    if (stock > 0) await this.move(tool, stock);
    return tool;
  }

  move({ path }: Made, delta: number): Promise<Reply> {
    return this.post(`${path}/stock-movements`, { delta });
  }

  /** Changes a tool by a merge patch; it has to have this entity tag, or the one that it has. */
  async change({ path }: Made, body: Json, tag?: string): Promise<Reply> {
    const match = tag ?? (await this.get(path)).header('etag') ?? '*';
    const headers = { 'Content-Type': 'application/merge-patch+json', 'If-Match': match };
    return this.patch(path, body, { headers });
  }

  async note({ path }: Made, values: Row = {}): Promise<Made> {
    return made(`${path}/notes`, await this.post(`${path}/notes`, { text: 'New blade', ...values }));
  }

  async member(values: Row = {}): Promise<Made> {
    const path = `${SHED}/members/m-${randomUUID().slice(0, 8)}`;
    const reply = await this.put(path, { fullName: 'Mina Kay', ...values });
    return { id: path.split('/').at(-1) ?? '', path, reply };
  }

  async loan(tool: Made, values: Row = {}, sending: Sending = {}): Promise<Made> {
    const body = { toolId: tool.id, member: 'jun', days: 2, ...values };
    return made(`${SHED}/loans`, await this.post(`${SHED}/loans`, body, sending));
  }
}
