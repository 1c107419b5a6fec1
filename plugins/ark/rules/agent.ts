// Rules for agents: fields of other providers, tools, MCP servers (agent configuration 2.11, 2.13).
import { type ProviderRule, rule } from '../../../core/plugin/rule.js'
import { hasPlaceholder } from '../../../core/value/placeholder.js'
import type { AgentBody } from '../../kinds/agent-body.js'
import { unknownTools } from '../../kinds/tool-permissions.js'
import { strayToolkits } from '../../shared/mcp-toolkits.js'
import { permissionAuto } from '../../shared/permission-auto.js'
import { builtinTools } from '../tools.js'

/** Limits of the server. */
export const agentLimits = { instructionsLengthMax: 100_000, mcpServersMax: 20 } as const

const mcpServerName = /^[a-z0-9_-]{1,64}$/

/** Members that only qoder supports. */
const foreignFields: readonly { readonly field: keyof AgentBody; readonly spec: string; readonly detail: string }[] = [
  {
    field: 'environment_variables',
    spec: '2.11',
    detail: 'Agents of Ark carry no environment variables; environment_variable credentials of a vault can be some.',
  },
  { field: 'tunnel', spec: '2.11', detail: 'Ark has no way into private networks.' },
  {
    field: 'managed_tool_config',
    spec: '7.5',
    detail: 'Managed tools need forward delivery, which Ark does not have.',
  },
  { field: 'default_memory_store', spec: '7.6', detail: 'Ark makes no memory store by itself that could be named.' },
]

const kind = 'agent'
const phase = 'declaration'
const severity = 'error'

export const agentRules: readonly ProviderRule[] = [
  permissionAuto('ark', 'Ark'),
  ...foreignFields.map(({ field, spec, detail }) =>
    rule<AgentBody>({
      kind,
      phase,
      code: `ark.agent-${field.replaceAll('_', '-')}`,
      severity,
      spec,
      summary: 'A field of agents belongs to another provider',
      fix: 'Remove the field, or pin the agent to qoder.',
      *check({ declaration: { body } }) {
        if (body[field] !== undefined) yield { at: [field], onKey: true, detail }
      },
    }),
  ),
  rule<AgentBody>({
    kind,
    phase,
    code: 'ark.agent-forward-delivery',
    severity,
    spec: '2.11',
    summary: 'Agents cannot be delivered forward here',
    fix: 'Remove the entry, or use type: managed.',
    *check({ declaration: { body }, provider }) {
      if (body.delivery?.[provider]?.type === 'forward')
        yield { at: ['delivery', provider, 'type'], detail: 'Forward delivery belongs to qoder alone.' }
    },
  }),
  rule<AgentBody>({
    kind,
    phase,
    code: 'ark.agent-unknown-tool',
    severity,
    spec: '2.11',
    summary: 'A built-in tool does not exist here',
    fix: `Use some of ${builtinTools.join(', ')}.`,
    *check({ declaration: { body } }) {
      for (const { index, name } of unknownTools(body.tools, builtinTools))
        yield { at: ['tools', 'builtin', index], detail: `Ark has no built-in tool ${name} and refuses its name.` }
    },
  }),
  rule<AgentBody>({
    kind,
    phase,
    code: 'ark.agent-official-mcp-server',
    severity,
    spec: '2.11',
    summary: 'MCP servers are reached by address alone here',
    fix: 'Give the server a url and leave out type: official.',
    *check({ declaration: { body } }) {
      for (const [index, { name, type, url }] of (body.mcp_servers ?? []).entries()) {
        if (type === 'official')
          yield {
            at: ['mcp_servers', index, 'type'],
            detail: `Ark has no official MCP servers, which ${name} is said to be.`,
          }
        else if (url === undefined) yield { at: ['mcp_servers', index], detail: `The MCP server ${name} has no url.` }
      }
    },
  }),
  rule<AgentBody>({
    kind,
    phase,
    code: 'ark.agent-mcp-server-name',
    severity,
    spec: '2.11',
    summary: 'An MCP server has a name that the provider would rewrite',
    fix: 'Use lower-case letters, digits, hyphens and underscores, 64 at most.',
    *check({ declaration: { body } }) {
      for (const [index, { name }] of (body.mcp_servers ?? []).entries())
        if (!hasPlaceholder(name) && !mcpServerName.test(name))
          yield { at: ['mcp_servers', index, 'name'], detail: `Ark would not keep the name ${name} as it is.` }
    },
  }),
  rule<AgentBody>({
    kind,
    phase,
    code: 'ark.agent-toolkit-without-server',
    severity,
    spec: '2.13',
    summary: 'An MCP toolkit names a server that the agent does not have',
    fix: 'Add the server to mcp_servers with its url.',
    *check({ declaration: { body } }) {
      for (const { index, name, hint } of strayToolkits(body))
        yield { at: ['tools', 'mcp', index, 'mcp_server_name'], detail: `${name} is not among mcp_servers.${hint}` }
    },
  }),
  rule<AgentBody>({
    kind,
    phase,
    code: 'ark.agent-too-large',
    severity,
    summary: 'An agent is larger than the provider takes',
    fix: 'Stay below the limit.',
    *check({ declaration: { body } }) {
      const { length } = body.instructions
      const servers = body.mcp_servers?.length ?? 0
      if (!hasPlaceholder(body.instructions) && length > agentLimits.instructionsLengthMax)
        yield {
          at: ['instructions'],
          detail: `Ark takes ${agentLimits.instructionsLengthMax} characters of instructions; these are ${length}.`,
        }
      if (servers > agentLimits.mcpServersMax)
        yield {
          at: ['mcp_servers'],
          onKey: true,
          detail: `Ark takes ${agentLimits.mcpServersMax} MCP servers; these are ${servers}.`,
        }
    },
  }),
]
