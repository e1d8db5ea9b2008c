/** A request that ends in an Error body; thrown anywhere between routing and the effect. */
export class Failure extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, text: string, headers: Readonly<Record<string, string>> = {}) {
    super(text);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

export const badParameter = (name: string, why: string): Failure =>
  new Failure(400, 'invalid_parameter', `Parameter "${name}": ${why}`);

export const badField = (pointer: string, why: string): Failure =>
  new Failure(400, 'invalid_field', `Body member "${pointer}": ${why}`);
