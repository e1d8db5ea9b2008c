import { ConfigError } from './standin-error';

/**
 * Why a server cannot listen, in our own words.
 *
 * @param cause - the error that Node's server emitted
 */
export function listenError(cause: Error & { code?: string }, host: string, port: number): ConfigError {
  const at = `${host}:${port}`;
  switch (cause.code) {
    case 'EADDRINUSE':
      return new ConfigError('CONFIG_PORT_IN_USE', `Port ${port} of ${host} is taken by another program`, {
        hint: 'Stop that program, or choose another port: --port 0 takes any free one.',
        cause,
      });
    case 'EACCES':
      return new ConfigError('CONFIG_PORT_DENIED', `This user may not listen on ${at}`, {
        hint: 'Ports below 1024 need rights; choose a higher one.',
        cause,
      });
    default:
      return new ConfigError('CONFIG_INVALID', `Cannot listen on ${at}: ${cause.message}`, {
        hint: '--host takes an address of this machine, such as 127.0.0.1 or 0.0.0.0.',
        cause,
      });
  }
}

/** The address of a server that listens: an address of IPv6 stands in brackets there (RFC 3986 §3.2.2). */
export function listenUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
