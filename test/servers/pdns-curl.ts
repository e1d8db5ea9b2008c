import type { Session } from './server';

const SERVER = '/servers/localhost';
const ZONE = `${SERVER}/zones/shop.example.`;

/** Somebody who makes a zone by hand, looks at all of it, and removes it. */
export function pdnsSession(key: string): Session {
  return {
    needs: ['/usr/bin/curl'],
    secrets: [key],
    act(recorderUrl, run) {
      const curl = (method: string, path: string, body?: unknown, own = ['-H', `X-API-Key: ${key}`]): string => {
        const sent = body === undefined ? [] : ['-H', 'Content-Type: application/json', '-d', JSON.stringify(body)];
        return run('/usr/bin/curl', ['-s', '-X', method, ...own, ...sent, `${recorderUrl}${path}`]);
      };
      const record = (name: string, type: string, content: string) => ({
        ...{ name, type, ttl: 300, changetype: 'REPLACE', records: [{ content, disabled: false }] },
      });
      curl('GET', '/servers');
      curl('GET', SERVER);
      curl('GET', `${SERVER}/zones`);
      const nameservers = ['ns1.shop.example.', 'ns2.shop.example.'];
      curl('POST', `${SERVER}/zones`, { name: 'shop.example.', kind: 'Native', nameservers });
      curl('GET', ZONE);
      const rrsets = [
        record('www.shop.example.', 'A', '192.0.2.7'),
        record('shop.example.', 'MX', '10 mail.shop.example.'),
      ];
      curl('PATCH', ZONE, { rrsets });
      curl('GET', ZONE);
      curl('GET', `${SERVER}/search-data?q=www*&max=10`);
      const kind = 'ALLOW-AXFR-FROM';
      curl('POST', `${ZONE}/metadata`, { kind, metadata: ['AUTO-NS'] });
      curl('GET', `${ZONE}/metadata`);
      curl('GET', `${ZONE}/metadata/${kind}`);
      curl('PUT', `${ZONE}/metadata/${kind}`, { kind, metadata: ['192.0.2.0/24'] });
      curl('DELETE', `${ZONE}/metadata/${kind}`);
      const made = curl('POST', `${ZONE}/cryptokeys`, { keytype: 'csk', active: true, algorithm: 'ecdsa256' });
      const { id } = JSON.parse(made) as { id: number };
      curl('GET', `${ZONE}/cryptokeys`);
      curl('GET', `${ZONE}/cryptokeys/${id}`);
      curl('PUT', `${ZONE}/cryptokeys/${id}`, { active: false });
      curl('DELETE', `${ZONE}/cryptokeys/${id}`);
      curl('PUT', `${ZONE}/rectify`);
      curl('GET', `${ZONE}/export`);
      curl('POST', `${SERVER}/tsigkeys`, { name: 'transfer', algorithm: 'hmac-sha256' });
      curl('GET', `${SERVER}/tsigkeys`);
      curl('GET', `${SERVER}/tsigkeys/transfer.`);
      curl('DELETE', `${SERVER}/tsigkeys/transfer.`);
      curl('GET', `${SERVER}/zones/nothing.example.`);
      curl('POST', `${SERVER}/zones`, { name: 'shop.example.', kind: 'Native', nameservers: [] });
      curl('GET', `${SERVER}/config`);
      curl('GET', `${SERVER}/statistics?statistic=uptime`);
      curl('GET', `${SERVER}/zones`, undefined, []);
      curl('PATCH', ZONE, { rrsets: [{ name: 'www.shop.example.', type: 'A', changetype: 'DELETE' }] });
      // What is there still when the session ends is removed by the cleanup of the contract.
      curl('POST', `${SERVER}/zones`, { name: 'other.example.', kind: 'Native', nameservers });
      curl('DELETE', ZONE);
      curl('GET', ZONE);
    },
  };
}
