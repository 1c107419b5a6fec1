// Rules for deployments (agent configuration 2.16).
import { type ProviderRule, rule } from '../../../core/plugin/rule.js'
import type { AgentBody } from '../../kinds/agent-body.js'
import type { DeploymentBody } from '../../kinds/deployment-body.js'
import { deliveryOf } from '../delivery.js'
import { badEnvironmentVariables } from './environment-variables.js'
import { metadataRules } from './metadata.js'

export const deploymentLimits = { nameLengthMax: 256, vaultsMax: 50, resourcesMax: 500 } as const

const kind = 'deployment'
const phase = 'declaration'
const severity = 'error'

export const deploymentRules: readonly ProviderRule[] = [
  rule<DeploymentBody>({
    code: 'qoder.deployment-tunnel-dropped',
    kind,
    phase,
    severity: 'warning',
    spec: '2.16',
    summary: 'Runs of a deployment have no tunnel',
    fix: 'Remove tunnel, and start sessions for agents that need the private network.',
    *check({ declaration: { body } }) {
      if (body.tunnel === undefined) return
      const detail = `The deployment API takes no tunnel, so "${body.tunnel}" is not sent and runs cannot reach the network behind it.`
      yield { at: ['tunnel'], onKey: true, detail }
    },
  }),
  rule<DeploymentBody>({
    code: 'qoder.deployment-of-forward-agent',
    kind,
    phase,
    severity,
    spec: '2.16',
    summary: 'A deployment runs managed agents only',
    fix: 'Set delivery.qoder.type of the agent to managed, or let end users schedule it with managed_tool_config.',
    *check({ declaration: { body }, project }) {
      const agent = project.find('agent', body.agent)
      if (!agent || deliveryOf(agent.body as AgentBody) === 'managed') return // The kind says which body it is.
      yield { at: ['agent'], detail: `"${body.agent}" is delivered as a template of the forward API.` }
    },
  }),
  rule<DeploymentBody>({
    code: 'qoder.deployment-environment-missing',
    kind,
    phase,
    severity,
    spec: '2.16',
    summary: 'A deployment needs an environment',
    fix: 'Name an environment in the deployment or in its agent.',
    *check({ declaration: { body }, project }) {
      const agent = project.find('agent', body.agent)?.body as AgentBody | undefined // The kind says which body it is.
      if (!agent || (body.environment ?? agent.environment) !== undefined) return
      yield { at: [], detail: `Neither the deployment nor the agent "${body.agent}" names one.` }
    },
  }),
  rule<DeploymentBody>({
    code: 'qoder.deployment-environment-variable',
    kind,
    phase,
    severity,
    spec: '2.16',
    summary: 'An environment variable cannot be written for Qoder',
    fix: 'Use another name or value, or an environment_variable credential of a vault.',
    check: ({ declaration: { body }, project }) => badEnvironmentVariables(body.environment_variables ?? {}, project),
  }),
  rule<DeploymentBody>({
    code: 'qoder.deployment-too-large',
    kind,
    phase,
    severity,
    summary: 'The deployment exceeds a limit of Qoder',
    fix: 'Stay below the limit.',
    *check({ declaration: { name, body } }) {
      const sizes = [
        { at: [], what: 'characters in its name', size: name.length, max: deploymentLimits.nameLengthMax },
        { at: ['vaults'], what: 'vaults', size: body.vaults?.length ?? 0, max: deploymentLimits.vaultsMax },
        { at: ['resources'], what: 'resources', size: body.resources?.length ?? 0, max: deploymentLimits.resourcesMax },
      ]
      for (const { at, what, size, max } of sizes) {
        if (size > max) yield { at, onKey: true, detail: `It has ${size} ${what}; Qoder takes ${max}.` }
      }
    },
  }),
  ...metadataRules(kind),
]
