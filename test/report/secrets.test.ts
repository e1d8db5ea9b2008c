import type { Transport } from '../../src/core/http/message';
import { formatReport, REPORT_KINDS } from '../../src/report/registry';
import { formatTextReport } from '../../src/report/kinds/text-report';
import { replayText } from '../runner/peer';

const CONTRACT = `
standin: contract/1
name: Echo
steps:
  - operation: createCategory
    body: { name: 'A \${runId}' }
    expect: { status: 201 }
    capture: { categoryId: $response.body#/id }
  - operation: getCategory
    parameters: { categoryId: '\${categoryId}' }
    expect: { status: 200, body: { name: other } }
  - operation: listPets
    expect: { status: 200 }
`;

/** Every form in which a service may give a key back. */
function formsOf(key: string): string[] {
  const bytes = Buffer.from(key);
  const percent = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  return [
    key,
    encodeURIComponent(key),
    percent,
    bytes.toString('base64'),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    JSON.stringify(key).slice(1, -1),
    key.replaceAll('/', '\\\\/'),
    key
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;'),
  ];
}

/** Answers with the key in headers, in members, and in text that is no JSON, in every form. */
function parrot(key: string): Transport {
  let sent = 0;
  return {
    send() {
      sent += 1;
      const forms = formsOf(key);
      const body = JSON.stringify({
        id: 1,
        code: key,
        message: forms.join(' '),
        status: key,
        name: forms.join('|'),
        tags: [key, forms.join()],
      });
      const headers = [
        'Content-Type',
        sent % 3 === 0 ? `text/${encodeURIComponent(key)}` : 'application/json',
        'Location',
        forms.join(''),
      ];
      return Promise.resolve({
        status: sent % 2 === 0 ? 400 : 201,
        headers,
        body: Buffer.from(sent % 5 === 0 ? forms.join('\n') : body),
      });
    },
  };
}

test.each(['sk-live/Ab+9~x==', `s<e>c&r"e't/%2B+=key`, 'k\\ey{"a":[]}]]>`|*_@#', 'clé-ключ-🔑-long'])(
  'the key %s is in no report, in no form',
  async (key) => {
    const result = await replayText(CONTRACT, parrot(key), { apiKey: key });
    expect(result.outcome).toBe('violations');
    const reports = [
      ...REPORT_KINDS.map((kind) => [kind, formatReport(kind, result)] as const),
      ['terminal', formatTextReport(result, true)] as const,
    ];
    for (const [kind, report] of reports) {
      const leaked = formsOf(key).filter((form) => report.includes(form));
      expect({ kind, leaked }).toEqual({ kind, leaked: [] });
    }
    // The reports do say something of what came: it is not that they are empty.
    expect(formatReport('json', result)).toContain('$STANDIN_API_KEY');
  },
);
