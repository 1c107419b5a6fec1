// Toolkits and the servers they are for (agent configuration 2.13).
import { closest } from '../../core/value/suggestions.js'
import type { AgentBody } from '../kinds/agent-body.js'

export interface StrayToolkit {
  /** Index in `tools.mcp`. */
  readonly index: number
  readonly name: string
  /** The server that is most likely meant, if one is close. */
  readonly meant: string | undefined
  /** Completes a sentence about it; empty where nothing is close. */
  readonly hint: string
}

/** Toolkits that name a server which `mcp_servers` lacks. */
export function* strayToolkits({ tools, mcp_servers = [] }: AgentBody): Iterable<StrayToolkit> {
  const servers = new Set(mcp_servers.map(({ name }) => name))
  for (const [index, { mcp_server_name: name }] of (tools?.mcp ?? []).entries()) {
    if (servers.has(name)) continue
    const meant = closest(name, servers)
    yield { index, name, meant, hint: meant === undefined ? '' : ` Did you mean "${meant}"?` }
  }
}
