// Rules that depend on an agent's delivery: managed, or forward as a template (agent configuration 2.4, 2.12, 2.15).
import type { Declaration, Project } from '../../../core/plugin/declaration.js'
import { type ProviderRule, rule } from '../../../core/plugin/rule.js'
import { closest, listed } from '../../../core/value/suggestions.js'
import type { AgentBody } from '../../kinds/agent-body.js'
import type { IdentityBody } from '../../kinds/identity.js'
import { deliveryOf } from '../delivery.js'

/** Maximum number of memory stores for an identity and a template. */
export const explicitMountsMax = 10

const managedTools = ['create_forward_schedule', 'list_forward_schedules', 'delete_forward_schedule'] as const

const kind = 'agent'
const phase = 'declaration'
const severity = 'error'

export const deliveryRules: readonly ProviderRule[] = [
  rule<AgentBody>({
    code: 'qoder.managed-tools-need-forward',
    kind,
    phase,
    severity,
    spec: '7.5',
    summary: 'Only forward agents have managed tools',
    fix: 'Set delivery.qoder.type to forward, or remove managed_tool_config.',
    *check({ declaration: { body } }) {
      if (body.managed_tool_config === undefined || deliveryOf(body) === 'forward') return
      yield {
        at: ['managed_tool_config'],
        onKey: true,
        detail: 'This agent is delivered by the managed API, which has none.',
      }
    },
  }),
  rule<AgentBody>({
    code: 'qoder.managed-tool-unknown',
    kind,
    phase,
    severity: 'warning',
    spec: '2.4.1',
    summary: 'Qoder may not have a managed tool of this name',
    fix: `Use ${listed(managedTools)}.`,
    *check({ declaration: { body } }) {
      if (deliveryOf(body) === 'managed') return
      for (const [index, name] of (body.managed_tool_config?.enabled_tools ?? []).entries()) {
        if (managedTools.some((known) => known === name)) continue
        const found = closest(name, managedTools)
        const hint = found === undefined ? '' : ` Did you mean "${found}"?`
        yield {
          at: ['managed_tool_config', 'enabled_tools', index],
          detail: `"${name}" is none of the documented tools. It is sent all the same.${hint}`,
        }
      }
    },
  }),
  rule<AgentBody>({
    code: 'qoder.default-memory-needs-forward',
    kind,
    phase,
    severity,
    spec: '7.6',
    summary: 'Only forward agents have a default memory store',
    fix: 'Set delivery.qoder.type to forward, or remove default_memory_store.',
    *check({ declaration: { body } }) {
      if (body.default_memory_store === undefined || deliveryOf(body) === 'forward') return
      yield { at: ['default_memory_store'], onKey: true, detail: 'The managed API creates no store of its own.' }
    },
  }),
  rule<AgentBody>({
    code: 'qoder.default-memory-needs-identity',
    kind,
    phase,
    severity,
    spec: '7.6',
    summary: 'A default memory store belongs to an identity',
    fix: 'Declare an identity and name it in defaults.identity.',
    *check({ declaration: { body }, project }) {
      if (body.default_memory_store === undefined || deliveryOf(body) === 'managed' || defaultIdentity(project)) return
      const detail =
        'Qoder keeps one such store for each identity and template, and defaults.identity names no identity.'
      yield { at: ['default_memory_store'], onKey: true, detail }
    },
  }),
  rule<AgentBody>({
    code: 'qoder.default-memory-identity-external',
    kind,
    phase,
    severity,
    spec: '7.6',
    summary: 'The default memory store of an external identity cannot be deleted',
    fix: 'Remove delete_on_destroy, or declare the identity with external_id so that agents manages it.',
    *check({ declaration: { body }, project }) {
      if (body.default_memory_store?.delete_on_destroy !== true || deliveryOf(body) === 'managed') return
      const identity = defaultIdentity(project)
      if (identity?.body.identity_id === undefined) return
      const detail = `The identity "${identity.name}" is never deleted, and as long as it is there Qoder keeps the store mounted.`
      yield { at: ['default_memory_store', 'delete_on_destroy'], detail }
    },
  }),
  rule<AgentBody>({
    code: 'qoder.forward-memory-needs-identity',
    kind,
    phase,
    severity,
    spec: '2.11',
    summary: 'Memory stores of a forward agent are mounted for an identity',
    fix: 'Declare an identity and name it in defaults.identity.',
    *check({ declaration: { body }, project }) {
      if (deliveryOf(body) === 'managed' || defaultIdentity(project)) return
      if ((body.memory_stores ?? []).length === 0) return
      yield { at: ['memory_stores'], onKey: true, detail: 'defaults.identity names no identity to mount them for.' }
    },
  }),
  rule<AgentBody>({
    code: 'qoder.forward-memory-too-many',
    kind,
    phase,
    severity,
    spec: '2.11',
    summary: 'Too many memory stores are mounted through one template',
    fix: 'Leave some out, or merge their entries into fewer stores.',
    *check({ declaration: { body } }) {
      const { size } = new Set(body.memory_stores ?? [])
      if (deliveryOf(body) === 'managed' || size <= explicitMountsMax) return
      const detail = `It names ${size} stores; Qoder mounts ${explicitMountsMax} for an identity and a template, besides the default one.`
      yield { at: ['memory_stores'], onKey: true, detail }
    },
  }),
  rule<AgentBody>({
    code: 'qoder.forward-needs-environment',
    kind,
    phase,
    severity,
    spec: '2.5',
    summary: 'A forward agent needs an environment',
    fix: 'Declare an environment and name it in environment.',
    *check({ declaration: { body } }) {
      if (deliveryOf(body) === 'managed' || body.environment !== undefined) return
      yield { at: [], detail: 'The forward API creates no template without one.' }
    },
  }),
  rule<AgentBody>({
    code: 'qoder.forward-session-resources',
    kind,
    phase,
    severity,
    spec: '2.14',
    summary: 'Sessions of forward agents mount files only',
    fix: 'Remove resources, or deliver the agent by the managed API.',
    *check({ declaration: { body } }) {
      if (deliveryOf(body) === 'managed' || (body.resources ?? []).length === 0) return
      const detail =
        'resources are attached to managed sessions; forward sessions take neither repositories nor stores.'
      yield { at: ['resources'], onKey: true, detail }
    },
  }),
  rule<AgentBody>({
    code: 'qoder.forward-external-member',
    kind,
    phase,
    severity,
    spec: '7.7',
    summary: 'A forward roster has templates of this project only',
    fix: 'Declare the member in agents, and name it.',
    *check({ declaration: { body } }) {
      if (deliveryOf(body) === 'managed') return
      for (const [index, member] of (body.multiagent?.agents ?? []).entries()) {
        if (typeof member === 'string') continue
        const detail = `agent_id "${member.agent_id}" is a managed agent, and a forward coordinator needs templates.`
        yield { at: ['multiagent', 'agents', index], detail }
      }
    },
  }),
  rule<AgentBody>({
    code: 'qoder.roster-mixed-delivery',
    kind,
    phase,
    severity,
    spec: '7.7',
    summary: 'A coordinator and its members are delivered differently',
    fix: 'Give all of them the same delivery.qoder.type.',
    *check({ declaration: { body }, project }) {
      const own = deliveryOf(body)
      for (const [index, member] of (body.multiagent?.agents ?? []).entries()) {
        const found = typeof member === 'string' ? project.find(kind, member) : undefined
        if (!found) continue
        const other = deliveryOf(found.body as AgentBody) // The kind says which body it is.
        if (other === own) continue
        const detail = `The coordinator is ${own}, "${found.name}" is ${other}, and neither API can name the other's agents.`
        yield { at: ['multiagent', 'agents', index], detail }
      }
    },
  }),
  rule<AgentBody>({
    code: 'qoder.coordinator-without-tools',
    kind,
    phase,
    severity,
    spec: '2.15',
    summary: 'A coordinator needs built-in tools',
    fix: 'Enable a built-in tool, or remove tools to enable all of them.',
    *check({ declaration: { body } }) {
      if (!body.multiagent || body.tools === undefined || body.tools.builtin.length > 0) return
      yield {
        at: ['tools', 'builtin'],
        detail: 'Delegation is a part of the built-in toolset, and none of its tools is enabled.',
      }
    },
  }),
]

function defaultIdentity(project: Project): Declaration<IdentityBody> | undefined {
  const { identity } = project.defaults
  const found = identity === undefined ? undefined : project.find('identity', identity)
  return found as Declaration<IdentityBody> | undefined // The kind says which body it is.
}
