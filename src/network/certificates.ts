import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { ConfigError } from '../core/errors/standin-error';
import { readTextFile } from '../files/file-access';

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Authorities to trust: those of Node, those of NODE_EXTRA_CA_CERTS, which Node forgets as soon as others are named,
 * and those of a file.
 *
 * @param file - PEM, one certificate or several (--ca)
 * @returns certificates in PEM
 * @throws ConfigError `CONFIG_INVALID` when the file has none, or one that cannot be read
 */
export function readAuthorities(file: string): string[] {
  const text = readTextFile(file, 'CONFIG_INVALID');
  const own = text.match(PEM) ?? [];
  if (own.length === 0) {
    throw new ConfigError('CONFIG_INVALID', `${file} has no certificate`, {
      hint: 'Give the certificate of the authority in PEM: -----BEGIN CERTIFICATE-----.',
    });
  }
  own.forEach((certificate, index) => {
    try {
      new X509Certificate(certificate);
    } catch (cause) {
      throw new ConfigError('CONFIG_INVALID', `Certificate ${index + 1} of ${file} cannot be read`, {
        hint: 'Export it again in PEM; openssl x509 -in FILE -text should show it.',
        cause,
      });
    }
  });
  return [...rootCertificates, ...extraCertificates(process.env['NODE_EXTRA_CA_CERTS']), ...own];
}

/** Node only warns of a file that it cannot read. */
function extraCertificates(file: string | undefined): string[] {
  if (file === undefined || file === '') return [];
  try {
    return readFileSync(file, 'latin1').match(PEM) ?? [];
  } catch {
    return [];
  }
}
