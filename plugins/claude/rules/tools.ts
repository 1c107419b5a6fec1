// Rules for tools and MCP servers of agents (agent configuration 2.11, 2.13).
import { type ProviderRule, rule } from '../../../core/plugin/rule.js'
import type { AgentBody } from '../../kinds/agent-body.js'
import { unknownTools } from '../../kinds/tool-permissions.js'
import { strayToolkits } from '../../shared/mcp-toolkits.js'
import { builtinTools } from '../agent-tools.js'

const serversMax = 20

export const toolRules: readonly ProviderRule[] = [
  rule<AgentBody>({
    kind: 'agent',
    phase: 'declaration',
    code: 'claude.agent-unknown-tool',
    severity: 'warning',
    spec: '2.11',
    summary: 'A built-in tool does not exist here',
    fix: `Use some of ${builtinTools.join(', ')}, or pin the agent to a provider that has the tool.`,
    *check({ declaration: { body } }) {
      for (const { index, name } of unknownTools(body.tools, builtinTools))
        yield { at: ['tools', 'builtin', index], detail: `Claude has no built-in tool ${name}; it is left out there.` }
    },
  }),
  rule<AgentBody>({
    kind: 'agent',
    phase: 'declaration',
    code: 'claude.agent-mcp-server-without-url',
    severity: 'error',
    spec: '2.11',
    summary: 'MCP servers are named by address here',
    fix: 'Give the server a url, or pin the agent to bailian for servers of its marketplace.',
    *check({ declaration: { body } }) {
      for (const [index, { name, type, url }] of (body.mcp_servers ?? []).entries()) {
        if (type === 'official')
          yield {
            at: ['mcp_servers', index, 'type'],
            detail: `Claude has no catalogue of official MCP servers in which ${name} could stand.`,
          }
        else if (url === undefined)
          yield {
            at: ['mcp_servers', index, 'name'],
            detail: `Claude reaches servers by their url, and ${name} has none.`,
          }
      }
    },
  }),
  rule<AgentBody>({
    kind: 'agent',
    phase: 'declaration',
    code: 'claude.agent-mcp-servers',
    severity: 'error',
    summary: 'The MCP servers cannot be used together',
    fix: 'Remove servers, or give each a name of its own.',
    *check({ declaration: { body } }) {
      const servers = body.mcp_servers ?? []
      if (servers.length > serversMax)
        yield {
          at: ['mcp_servers'],
          onKey: true,
          detail: `Claude takes at most ${serversMax} MCP servers; these are ${servers.length}.`,
        }
      const seen = new Set<string>()
      for (const [index, { name }] of servers.entries()) {
        if (seen.has(name))
          yield { at: ['mcp_servers', index, 'name'], detail: `An earlier server is named ${name} already.` }
        seen.add(name)
      }
    },
  }),
  rule<AgentBody>({
    kind: 'agent',
    phase: 'declaration',
    code: 'claude.agent-toolkit-without-server',
    severity: 'error',
    spec: '2.13',
    summary: 'A toolkit does not belong to one MCP server',
    fix: 'Name a server of mcp_servers, each in one toolkit.',
    *check({ declaration: { body } }) {
      const unmatchedToolkits = new Map([...strayToolkits(body)].map((toolkit) => [toolkit.index, toolkit]))
      const seen = new Set<string>()
      for (const [index, { mcp_server_name: name }] of (body.tools?.mcp ?? []).entries()) {
        const at = ['tools', 'mcp', index, 'mcp_server_name']
        const unmatched = unmatchedToolkits.get(index)
        if (unmatched) yield { at, detail: `No server of mcp_servers is named ${name}.${unmatched.hint}` }
        else if (seen.has(name)) yield { at, detail: `An earlier toolkit is for ${name} already.` }
        seen.add(name)
      }
    },
  }),
]
