// What agents cannot say here: tools, MCP servers, and fields that belong to other providers (2.11, 2.13).
import { type ProviderRule, rule } from '../../../core/plugin/rule.js'
import type { AgentBody } from '../../kinds/agent.js'
import { unknownTools } from '../../shared/tool-permissions.js'
import { builtinTools } from '../agent-tools.js'

/** Fields that only qoder has, and what they are for. */
const foreignFields = {
  tunnel: 'Tunnels into private networks exist on qoder alone.',
  environment_variables: 'Agents carry environment variables on qoder alone.',
} as const

export const agentRules: readonly ProviderRule[] = [
  rule<AgentBody>({
    kind: 'agent',
    phase: 'declaration',
    code: 'bailian.agent-foreign-field',
    severity: 'error',
    spec: '2.11',
    summary: 'A field of agents belongs to another provider',
    fix: 'Remove the field, or pin the agent to qoder.',
    *check({ declaration: { body } }) {
      for (const [field, detail] of Object.entries(foreignFields))
        if (field in body) yield { at: [field], onKey: true, detail }
    },
  }),
  rule<AgentBody>({
    kind: 'agent',
    phase: 'declaration',
    code: 'bailian.agent-forward-delivery',
    severity: 'error',
    spec: '2.11',
    summary: 'Agents cannot be delivered forward here',
    fix: 'Remove the entry, or use type: managed.',
    *check({ declaration: { body }, provider }) {
      if (body.delivery?.[provider]?.type === 'forward')
        yield { at: ['delivery', provider, 'type'], detail: 'Forward delivery exists on qoder alone.' }
    },
  }),
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
      for (const [index, { name }] of (body.mcp_servers ?? []).entries())
        if (!named.has(name))
          yield { at: ['mcp_servers', index, 'name'], detail: `Nothing under tools.mcp enables tools of ${name}.` }
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
      const asks =
        body.tools?.default_permission === 'ask' || Object.values(body.tools?.permissions ?? {}).includes('ask')
      if (!asks) return
      const coordinator = project
        .ofKind('agent')
        .find((other) => (other.body as AgentBody).multiagent?.agents.includes(name))
      if (coordinator)
        yield {
          at: ['tools'],
          onKey: true,
          detail: `Bailian asks for approval in the main agent alone, and ${coordinator.name} runs this one as a member.`,
        }
    },
  }),
]
