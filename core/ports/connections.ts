// Connections that requests share: direct ones, and ones through a proxy.
import { Agent } from 'node:http'
import { Agent as TlsAgent } from 'node:https'
import { type Environment, type ProxyServer, proxyFor } from './proxies.js'

/**
 * Time in which idle connections are kept open. Servers keep them open for longer, so that no request is sent on a
 * connection that is being closed.
 */
const idleMs = 4_000

export interface Route {
  readonly agent: Agent
  readonly proxy: ProxyServer | undefined
}

export class Connections {
  readonly #direct: Readonly<Record<string, Agent>> = {
    'http:': new Agent({ keepAlive: true, timeout: idleMs }),
    'https:': new TlsAgent({ keepAlive: true, timeout: idleMs }),
  }

  readonly #proxied = new Map<string, Promise<Agent>>()

  constructor(private readonly environment: Environment) {}

  async to(url: URL): Promise<Route> {
    const proxy = proxyFor(url, this.environment)
    const agent = proxy === undefined ? this.#direct[url.protocol] : await this.#through(proxy, url.protocol)
    if (!agent) throw new Error(`no connections for ${url.protocol}`)
    return { agent, proxy }
  }

  #through(proxy: ProxyServer, protocol: string): Promise<Agent> {
    const key = `${protocol} ${proxy.url.href} ${proxy.name}`
    const known = this.#proxied.get(key)
    if (known) return known
    const agent = proxied(proxy, protocol)
    this.#proxied.set(key, agent)
    return agent
  }
}

/** The packages are loaded when a proxy is used. */
async function proxied({ url }: ProxyServer, protocol: string): Promise<Agent> {
  if (url.protocol.startsWith('socks')) {
    const { SocksProxyAgent } = await import('socks-proxy-agent')
    const agent = new SocksProxyAgent(url, { keepAlive: true })
    // As an option of the constructor it would also end requests that wait for their answer.
    agent.options.timeout = idleMs
    return agent
  }
  const options = { keepAlive: true, timeout: idleMs }
  if (protocol === 'https:') {
    const { HttpsProxyAgent } = await import('https-proxy-agent')
    return new HttpsProxyAgent(url, options)
  }
  const { HttpProxyAgent } = await import('http-proxy-agent')
  return new HttpProxyAgent(url, options)
}
