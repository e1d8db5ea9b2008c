// One request at a port of this machine.
import { request as httpRequest } from 'node:http';
import { jsonHeaders } from '../commands.mjs';

/** @returns status, text of the body and ETag; `undefined` where no whole response came */
export function ask(agent, port, method, target, body, more = {}) {
  return new Promise((resolve) => {
    const headers = { ...jsonHeaders, ...more };
    if (body !== undefined) headers['Content-Length'] = Buffer.byteLength(body);
    const request = httpRequest({ agent, port, host: '127.0.0.1', method, path: target, headers });
    request.on('error', () => resolve(undefined));
    request.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece) => (text += piece));
      response.on('error', () => resolve(undefined));
      response.on('end', () => resolve({ status: response.statusCode, body: text, etag: response.headers.etag }));
    });
    request.end(body);
  });
}
