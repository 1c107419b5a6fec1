// Rules for what deployments run and mount (agent configuration 2.16).
import { type ProviderRule, rule } from '../../../core/plugin/rule.js'
import type { AgentBody } from '../../kinds/agent-body.js'
import type { DeploymentBody } from '../../kinds/deployment-body.js'

export const deploymentRules: readonly ProviderRule[] = [
  rule<DeploymentBody>({
    kind: 'deployment',
    phase: 'declaration',
    code: 'bailian.deployment-memory',
    severity: 'error',
    spec: '7.8',
    summary: 'Deployments cannot mount memory stores here',
    fix: 'Mount the stores by creating sessions, and let the deployment use an agent without any.',
    *check({ declaration: { body }, project }) {
      if (body.memory_stores?.length)
        yield { at: ['memory_stores'], onKey: true, detail: 'Deployments of Bailian mount files alone.' }
      for (const [index, { type }] of (body.resources ?? []).entries())
        if (type === 'memory_store')
          yield { at: ['resources', index, 'type'], detail: 'Deployments of Bailian mount files alone.' }
      const agent = project.find('agent', body.agent)?.body as AgentBody | undefined
      const isBound = agent?.memory_stores?.length || agent?.resources?.some(({ type }) => type === 'memory_store')
      if (isBound)
        yield {
          at: ['agent'],
          detail: `The agent ${body.agent} binds memory stores, which its runs by a deployment of Bailian would lack.`,
        }
    },
  }),
  rule<DeploymentBody>({
    kind: 'deployment',
    phase: 'declaration',
    code: 'bailian.deployment-file',
    severity: 'error',
    spec: '2.16',
    summary: 'A mounted file has no mount path',
    fix: 'Say where it appears, relative to /mnt, with mount_path.',
    *check({ declaration: { body } }) {
      for (const [index, resource] of (body.resources ?? []).entries())
        if (resource.type === 'file' && resource.mount_path === undefined)
          yield {
            at: ['resources', index],
            detail: 'Bailian mounts a file where mount_path says, and this one has none.',
          }
    },
  }),
  rule<DeploymentBody>({
    kind: 'deployment',
    phase: 'declaration',
    code: 'bailian.deployment-repository',
    severity: 'warning',
    spec: '2.16',
    summary: 'A repository is not mounted',
    fix: 'Let an initial event tell the agent to clone it, or pin the deployment to another provider.',
    *check({ declaration: { body } }) {
      for (const [index, { type }] of (body.resources ?? []).entries())
        if (type === 'git_repository')
          yield {
            at: ['resources', index, 'type'],
            detail: 'Deployments of Bailian mount files alone; it is left out.',
          }
    },
  }),
  rule<DeploymentBody>({
    kind: 'deployment',
    phase: 'declaration',
    code: 'bailian.deployment-variable-name',
    severity: 'error',
    spec: '2.16',
    summary: 'A variable has a name that cannot be used',
    fix: 'Rename the variable.',
    *check({ declaration: { body } }) {
      if (Object.hasOwn(body.environment_variables ?? {}, '__proto__'))
        yield {
          at: ['environment_variables', '__proto__'],
          onKey: true,
          detail: 'Bailian does not take a variable named __proto__.',
        }
    },
  }),
  rule<DeploymentBody>({
    kind: 'deployment',
    phase: 'declaration',
    code: 'bailian.deployment-outcome',
    severity: 'warning',
    spec: '2.16',
    summary: 'An outcome is not sent',
    fix: 'Describe the outcome in a message as well.',
    *check({ declaration: { body } }) {
      for (const [index, { type }] of body.initial_events.entries())
        if (type === 'user.define_outcome')
          yield {
            at: ['initial_events', index, 'type'],
            detail: 'Runs of Bailian start with messages alone; the outcome is left out.',
          }
    },
  }),
  rule<DeploymentBody>({
    kind: 'deployment',
    phase: 'declaration',
    code: 'bailian.deployment-without-message',
    severity: 'error',
    spec: '2.16',
    summary: 'A deployment has no message to start with',
    fix: 'Add a user.message to initial_events.',
    *check({ declaration: { body } }) {
      if (body.initial_events.every(({ type }) => type === 'user.define_outcome'))
        yield {
          at: ['initial_events'],
          onKey: true,
          detail: 'Bailian starts a run with messages, and none of these events is one.',
        }
    },
  }),
  rule<DeploymentBody>({
    kind: 'deployment',
    phase: 'declaration',
    code: 'bailian.deployment-tunnel',
    severity: 'error',
    spec: '2.16',
    summary: 'Deployments have no tunnels here',
    fix: 'Remove the field, or pin the deployment to qoder.',
    *check({ declaration: { body } }) {
      if (body.tunnel !== undefined) yield { at: ['tunnel'], onKey: true, detail: 'A tunnel is named on qoder alone.' }
    },
  }),
]
