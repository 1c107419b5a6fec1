// Which proxy a request goes through, read from the environment as curl does.
import { BlockList, isIP } from 'node:net'
import { HttpFailure } from './http.js'

export type Environment = Readonly<Record<string, string | undefined>>

export interface ProxyServer {
  /** Address with the user and the password, for the connection alone. */
  readonly url: URL
  /** Host and port, for people. */
  readonly name: string
}

const schemes: ReadonlySet<string> = new Set([
  'http:',
  'https:',
  'socks:',
  'socks4:',
  'socks4a:',
  'socks5:',
  'socks5h:',
])
/** Ports of addresses without one. */
const defaultPorts: Readonly<Record<string, string>> = { 'https:': '443' }
const otherDefaultPort = '1080'

const variables: Readonly<Record<string, readonly string[]>> = {
  'http:': ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'],
  'https:': ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'],
}

/** Entry of NO_PROXY with which addresses of this machine go through the proxy as well, as in browsers. */
const withLoopback = '<-loopback>'

/**
 * Returns the proxy for an address; undefined = none. An empty variable counts as unset. Throws a permanent
 * `HttpFailure` that names the variable, and not its value, which may hold a password.
 */
export function proxyFor(url: URL, environment: Environment): ProxyServer | undefined {
  const name = variables[url.protocol]?.find((variable) => environment[variable])
  if (name === undefined) return undefined
  const exceptions = (environment['no_proxy'] || environment['NO_PROXY'] || '').toLowerCase().split(/[\s,]+/)
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (isLoopback(host) && !exceptions.includes(withLoopback)) return undefined
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  if (exceptions.some((exception) => excepts(exception, host, port))) return undefined
  return proxyOf(name, environment[name] ?? '')
}

/** True for `localhost` and the addresses of this machine. */
function isLoopback(host: string): boolean {
  return /^(.+\.)?localhost$/.test(host) || (isIP(host) !== 0 && (host === '::1' || host.startsWith('127.')))
}

/** A domain stands for itself and what is below it. */
function excepts(exception: string, host: string, port: string): boolean {
  if (exception === '*') return true
  if (exception.includes('/')) return isWithin(exception, host)
  const [, bracketed, plain = '', itsPort] = /^(?:\[([^\]]*)\]|([^:]*|.*:.*:.*?))(?::(\d+))?$/.exec(exception) ?? []
  const domain = (bracketed ?? plain).replace(/^\*?\./, '').replace(/\.$/, '')
  if (domain === '' || (itsPort !== undefined && itsPort !== port)) return false
  return host === domain || (isIP(host) === 0 && host.endsWith(`.${domain}`))
}

/** True if a network (`10.0.0.0/8`) contains the host. */
function isWithin(network: string, host: string): boolean {
  const [address = '', prefix = ''] = network.replaceAll(/[[\]]/g, '').split('/')
  const family = isIP(address)
  if (family === 0 || isIP(host) !== family || !/^\d+$/.test(prefix) || Number(prefix) > (family === 4 ? 32 : 128))
    return false
  const type = family === 4 ? 'ipv4' : 'ipv6'
  const list = new BlockList()
  list.addSubnet(address, Number(prefix), type)
  return list.check(host, type)
}

function proxyOf(variable: string, written: string): ProxyServer {
  const text = written.includes('://') ? written : `http://${written}`
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || url.hostname === '' || !schemes.has(url.protocol))
    throw new HttpFailure(
      `${variable} names no proxy of a known kind: http://, https://, socks5://, socks5h://, socks4:// or socks4a://`,
      false,
      { isPermanent: true, obstacle: 'proxy' },
    )
  // `URL` hides the port that is usual for a scheme, which is not the one that proxies without a port have.
  const isPortWritten = /^[^/?#]*:\d+$/.test(text.replace(/^[^:]*:\/\/([^/?#]*@)?/, '').replace(/[/?#].*$/, ''))
  const port = url.port || (isPortWritten ? usualPort(url.protocol) : (defaultPorts[url.protocol] ?? otherDefaultPort))
  url.port = port
  return { url, name: `${url.hostname}:${port}` }
}

const usualPort = (protocol: string): string => (protocol === 'https:' ? '443' : '80')
