/** Short flags of curl that say something of the request, or take a value, by the long one that they stand for. */
const SHORT: Readonly<Record<string, string>> = {
  A: 'user-agent',
  b: 'cookie',
  c: 'cookie-jar',
  C: 'continue-at',
  d: 'data',
  D: 'dump-header',
  e: 'referer',
  E: 'cert',
  F: 'form',
  G: 'get',
  h: 'help',
  H: 'header',
  I: 'head',
  K: 'config',
  m: 'max-time',
  o: 'output',
  P: 'ftp-port',
  Q: 'quote',
  r: 'range',
  t: 'telnet-option',
  T: 'upload-file',
  u: 'user',
  U: 'proxy-user',
  w: 'write-out',
  x: 'proxy',
  X: 'request',
  Y: 'speed-limit',
  y: 'speed-time',
  z: 'time-cond',
  ':': 'next',
};

/** Long flags that take a value, as `curl --help all` of 8.15 lists them. */
const WITH_VALUE: ReadonlySet<string> = new Set(
  `abstract-unix-socket alt-svc aws-sigv4 cacert capath cert cert-type ciphers config connect-timeout connect-to
  continue-at cookie cookie-jar create-file-mode crlfile curves data data-ascii data-binary data-raw data-urlencode
  delegation dns-interface dns-ipv4-addr dns-ipv6-addr dns-servers doh-url dump-header ech egd-file engine etag-compare
  etag-save expect100-timeout form form-string ftp-account ftp-alternative-to-user ftp-method ftp-port
  ftp-ssl-ccc-mode happy-eyeballs-timeout-ms haproxy-clientip header hostpubmd5 hostpubsha256 hsts interface ip-tos
  ipfs-gateway json keepalive-cnt keepalive-time key key-type krb libcurl limit-rate local-port login-options mail-auth
  mail-from mail-rcpt max-filesize max-redirs max-time netrc-file noproxy oauth2-bearer output output-dir parallel-max
  pass pinnedpubkey preproxy proto proto-default proto-redir proxy proxy-cacert proxy-capath proxy-cert
  proxy-cert-type proxy-ciphers proxy-crlfile proxy-header proxy-key proxy-key-type proxy-pass proxy-pinnedpubkey
  proxy-service-name proxy-tls13-ciphers proxy-tlsauthtype proxy-tlspassword proxy-tlsuser proxy-user proxy1.0 pubkey
  quote random-file range rate referer request request-target resolve retry retry-delay retry-max-time sasl-authzid
  service-name sigalgs socks4 socks4a socks5 socks5-gssapi-service socks5-hostname speed-limit speed-time stderr
  telnet-option tftp-blksize time-cond tls-max tls13-ciphers tlsauthtype tlspassword tlsuser trace trace-ascii
  trace-config unix-socket upload-file upload-flags url url-query user user-agent variable vlan-priority
  write-out`.split(/\s+/),
);

/** One flag of a command line of curl, or an argument without one: then the flag is `url`. */
export interface CurlOption {
  /** The long name, without `--`. */
  readonly name: string;
  /** Empty for a switch. */
  readonly value: string;
}

/** Takes the words of a command line apart. @param words - behind `curl` */
export function readCurlOptions(words: readonly string[]): CurlOption[] {
  const options: CurlOption[] = [];
  const rest = [...words];
  let isArgument = false;
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (isArgument || !word.startsWith('-') || word === '-') options.push({ name: 'url', value: word });
    else if (word === '--') isArgument = true;
    else if (word.startsWith('--')) {
      const name = word.slice(2);
      options.push({ name, value: WITH_VALUE.has(name) ? (rest.shift() ?? '') : '' });
    } else options.push(...readShortFlags(word.slice(1), rest));
  }
  return options;
}

/** `-sSXPOST`: several in one word; the first that takes a value has what is behind it, else the next word. */
function readShortFlags(flags: string, rest: string[]): CurlOption[] {
  const options: CurlOption[] = [];
  for (const [index, letter] of Array.from(flags).entries()) {
    const name = Object.hasOwn(SHORT, letter) ? (SHORT[letter] ?? letter) : letter;
    if (!WITH_VALUE.has(name)) options.push({ name, value: '' });
    else {
      const behind = Array.from(flags)
        .slice(index + 1)
        .join('');
      return [...options, { name, value: behind === '' ? (rest.shift() ?? '') : behind }];
    }
  }
  return options;
}
