// Rules for built-in tools and MCP servers of agents (agent configuration 2.11, 2.13).
import { type ProviderRule, rule } from '../../../core/plugin/rule.js'
import type { AgentBody } from '../../kinds/agent-body.js'
import { statedPermissions, unknownTools } from '../../kinds/tool-permissions.js'
import { strayToolkits } from '../../shared/mcp-toolkits.js'
import { permissionAuto } from '../../shared/permission-auto.js'
import { builtinTools } from '../agent-tools.js'

export const toolRules: readonly ProviderRule[] = [
  permissionAuto('bailian', 'Bailian'),
  rule<AgentBody>({
    kind: 'agent',
    phase: 'declaration',
    code: 'bailian.agent-unknown-tool',
    severity: 'warning',
    spec: '2.11',
    summary: 'A built-in tool does not exist here',
    fix: `Use some of ${[...builtinTools].join(', ')}, or pin the agent to a provider that has the tool.`,
    *check({ declaration: { body } }) {
      for (const { index, name } of unknownTools(body.tools, builtinTools))
        yield { at: ['tools', 'builtin', index], detail: `Bailian has no built-in tool ${name}; it is left out there.` }
    },
  }),
  rule<AgentBody>({
    kind: 'agent',
    phase: 'declaration',
    code: 'bailian.agent-url-mcp-server',
    severity: 'error',
    spec: '2.11',
    summary: 'MCP servers cannot be named by address here',
    fix: 'Name a server of the marketplace with type: official, or pin the agent to another provider.',
    *check({ declaration: { body } }) {
      for (const [index, server] of (body.mcp_servers ?? []).entries()) {
        if (server.url === undefined && server.type !== 'url' && server.type !== 'http') continue
        yield {
          at: ['mcp_servers', index, server.url === undefined ? 'type' : 'url'],
          detail: `Bailian reaches the MCP servers of its marketplace by name alone, and ${server.name} has an address.`,
        }
      }
    },
  }),
  rule<AgentBody>({
    kind: 'agent',
    phase: 'declaration',
    code: 'bailian.agent-mcp-server-without-toolkit',
    severity: 'error',
    spec: '2.13',
    summary: 'An MCP server has no toolkit',
    fix: 'Add an mcp_toolkit with this mcp_server_name under tools.mcp.',
    *check({ declaration: { body } }) {
      const named = new Set(body.tools?.mcp?.map(({ mcp_server_name }) => mcp_server_name))
      for (const { meant } of strayToolkits(body)) if (meant !== undefined) named.add(meant)
      for (const [index, { name }] of (body.mcp_servers ?? []).entries())
        if (!named.has(name))
          yield { at: ['mcp_servers', index, 'name'], detail: `Nothing under tools.mcp enables tools of ${name}.` }
    },
  }),
  rule<AgentBody>({
    kind: 'agent',
    phase: 'declaration',
    code: 'bailian.agent-toolkit-without-server',
    severity: 'error',
    spec: '2.13',
    summary: 'An MCP toolkit names a server that the agent does not have',
    fix: 'Add the server to mcp_servers, or correct the name.',
    *check({ declaration: { body } }) {
      for (const { index, name, hint } of strayToolkits(body))
        yield { at: ['tools', 'mcp', index, 'mcp_server_name'], detail: `${name} is not among mcp_servers.${hint}` }
    },
  }),
  rule<AgentBody>({
    kind: 'agent',
    phase: 'declaration',
    code: 'bailian.agent-member-approval',
    severity: 'warning',
    spec: '2.15',
    summary: 'Approval is not asked for in a roster',
    fix: 'Allow the tools of this agent, or let the coordinator run what needs approval.',
    *check({ declaration: { name, body }, project }) {
      const first = [...statedPermissions(body.tools)].find(({ permission }) => permission === 'ask')
      if (!first) return
      const coordinator = project
        .ofKind('agent')
        .find((other) => (other.body as AgentBody).multiagent?.agents?.includes(name))
      if (coordinator)
        yield {
          at: first.at,
          detail: `Bailian asks for approval in the main agent alone, and ${coordinator.name} runs this one as a member.`,
        }
    },
  }),
]
