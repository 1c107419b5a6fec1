// Matches MCP toolkits to servers (agent configuration 2.13).
import { closest } from '../../core/value/suggestions.js'
import type { AgentBody } from '../kinds/agent-body.js'

export interface StrayToolkit {
  /** Index in `tools.mcp`. */
  readonly index: number
  readonly name: string
  /** Declared server with the most similar name, if one is similar. */
  readonly meant: string | undefined
  /** End of a sentence that suggests that server; empty if there is none. */
  readonly hint: string
}

/** Yields toolkits whose server is missing in `mcp_servers`. */
export function* strayToolkits({ tools, mcp_servers = [] }: AgentBody): Iterable<StrayToolkit> {
  const servers = new Set(mcp_servers.map(({ name }) => name))
  for (const [index, { mcp_server_name: name }] of (tools?.mcp ?? []).entries()) {
    if (servers.has(name)) continue
    const meant = closest(name, servers)
    yield { index, name, meant, hint: meant === undefined ? '' : ` Did you mean "${meant}"?` }
  }
}
