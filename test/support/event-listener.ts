import { connect, type Socket } from 'node:net';
import type { TestServer } from './server';
import { until } from './until';

/** A server-sent event. */
export interface AdminEvent {
  readonly id: string;
  readonly name: string;
  readonly data: Record<string, unknown>;
}

/** Listens to what a mock tells on a connection of its own, by HTTP/1.0: what comes then is not cut into chunks. */
export class EventListener {
  readonly events: AdminEvent[] = [];
  head = '';
  isClosed = false;
  private readonly socket: Socket;
  private text = '';

  constructor({ port }: Pick<TestServer, 'port'>, query = '', headers: readonly string[] = []) {
    this.socket = connect(port, '127.0.0.1');
    this.socket.on('data', (chunk: Buffer) => {
      this.take(chunk.toString());
    });
    this.socket.on('close', () => {
      this.isClosed = true;
    });
    this.socket.on('error', () => undefined);
    this.socket.write(
      ['GET /__standin/events' + query + ' HTTP/1.0', 'Host: 127.0.0.1', ...headers, '', ''].join('\r\n'),
    );
  }

  get status(): number {
    return Number(this.head.split(' ')[1]);
  }

  /** Nothing is read any more. */
  pause(): void {
    this.socket.pause();
  }

  close(): void {
    this.socket.destroy();
  }

  async until(test: () => boolean, what: string): Promise<void> {
    await until(test, what);
  }

  named(name: string): AdminEvent[] {
    return this.events.filter((event) => event.name === name);
  }

  private take(text: string): void {
    this.text += text;
    if (this.head === '' && this.text.includes('\r\n\r\n')) {
      [this.head = ''] = this.text.split('\r\n\r\n', 1);
      this.text = this.text.slice(this.head.length + 4);
    }
    if (this.head === '') return;
    const blocks = this.text.split('\n\n');
    this.text = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, id, name, data] = /^id: (.*)\nevent: (.*)\ndata: (.*)$/.exec(block) ?? [];
      if (id !== undefined && name !== undefined)
        this.events.push({ id, name, data: JSON.parse(data ?? '') as Record<string, unknown> });
    }
  }
}
