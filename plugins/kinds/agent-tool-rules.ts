// Rules for tools of agents on every provider: names, permissions, limits, custom tools (agent configuration 2.11).
import type { KindRule } from '../../core/plugin/rule.js'
import type { AgentBody } from './agent-body.js'
import { normalToolName } from './tool-permissions.js'

type AgentRule = KindRule<AgentBody>

const duplicateTool: AgentRule = {
  code: 'agent.tool-repeated',
  severity: 'error',
  spec: '2.11',
  summary: 'A built-in tool is enabled twice',
  fix: 'Name each tool once.',
  *check({ body: { tools } }) {
    const seen = new Map<string, string>()
    for (const [index, name] of (tools?.builtin ?? []).entries()) {
      const first = seen.get(normalToolName(name))
      if (first !== undefined)
        yield { at: ['tools', 'builtin', index], detail: `"${name}" and "${first}" are the same tool.` }
      else seen.set(normalToolName(name), name)
    }
  },
}

const unknownPermission: AgentRule = {
  code: 'agent.permission-unknown-tool',
  severity: 'error',
  spec: '7.4',
  summary: 'A permission is given for a tool that is not enabled',
  fix: 'Enable the tool in tools.builtin, or remove the permission.',
  *check({ body: { tools } }) {
    yield* findDisabled(tools, 'permissions')
  },
}

const duplicatePermission: AgentRule = {
  code: 'agent.permission-repeated',
  severity: 'error',
  spec: '7.4',
  summary: 'Two permissions are for the same tool',
  fix: 'Keep one of them.',
  *check({ body: { tools } }) {
    const seen = new Map<string, string>()
    for (const name of Object.keys(tools?.permissions ?? {})) {
      const first = seen.get(normalToolName(name))
      seen.set(normalToolName(name), first ?? name)
      if (first === undefined) continue
      const detail = `"${name}" and "${first}" differ only in case or separators, so they are the same tool.`
      yield { at: ['tools', 'permissions', name], onKey: true, detail }
    }
  },
}

const limitsUnknownTool: AgentRule = {
  code: 'agent.limits-unknown-tool',
  severity: 'error',
  summary: 'Limits are given for a tool that is not enabled',
  fix: 'Enable the tool in tools.builtin, or remove its limits.',
  *check({ body: { tools } }) {
    yield* findDisabled(tools, 'limits')
  },
}

const limitsContradict: AgentRule = {
  code: 'agent.limits-two-lists',
  severity: 'error',
  summary: 'Domains of a tool are allowed and blocked',
  fix: 'Keep one of the two lists.',
  *check({ body: { tools } }) {
    for (const [name, limits] of Object.entries(tools?.limits ?? {}))
      if (limits.allowed_domains !== undefined && limits.blocked_domains !== undefined)
        yield {
          at: ['tools', 'limits', name, 'blocked_domains'],
          onKey: true,
          detail: `${name} has allowed_domains already, which block every other domain.`,
        }
  },
}

const customToolRepeated: AgentRule = {
  code: 'agent.custom-tool-repeated',
  severity: 'error',
  summary: 'A custom tool has the name of another tool',
  fix: 'Give it a name of its own.',
  *check({ body: { tools } }) {
    const builtin = new Set(tools?.builtin)
    const seen = new Set<string>()
    for (const [index, { name }] of (tools?.custom ?? []).entries()) {
      const other = builtin.has(name) ? 'A built-in tool' : seen.has(name) ? 'An earlier custom tool' : undefined
      seen.add(name)
      if (other === undefined) continue
      yield { at: ['tools', 'custom', index, 'name'], detail: `${other} is named ${name}, and calls go by the name.` }
    }
  },
}

export const agentToolRules: readonly AgentRule[] = [
  duplicateTool,
  unknownPermission,
  duplicatePermission,
  limitsUnknownTool,
  limitsContradict,
  customToolRepeated,
]

/** Yields a finding for each key of the map that is not an enabled tool. */
function* findDisabled(tools: AgentBody['tools'], map: 'permissions' | 'limits') {
  const enabled = new Set((tools?.builtin ?? []).map(normalToolName))
  for (const name of Object.keys(tools?.[map] ?? {}))
    if (!enabled.has(normalToolName(name)))
      yield { at: ['tools', map, name], onKey: true, detail: `"${name}" is not among tools.builtin.` } as const
}
