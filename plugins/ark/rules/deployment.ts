// Rules for deployments (agent configuration 2.16), which are stored locally: a run is a session that is started by
// hand.
import { type ProviderRule, rule } from '../../../core/plugin/rule.js'
import type { DeploymentBody } from '../../kinds/deployment-body.js'
import { environmentMissing } from '../../shared/deployment-environment.js'

const kind = 'deployment'
const phase = 'declaration'
const spec = '2.16'

export const deploymentRules: readonly ProviderRule[] = [
  rule<DeploymentBody>({
    kind,
    phase,
    code: 'ark.deployment-environment-variables',
    severity: 'error',
    spec,
    summary: 'Deployments have no environment variables here',
    fix: 'Use environment_variable credentials of a vault, or pin the deployment to bailian or qoder.',
    *check({ declaration: { body } }) {
      if (body.environment_variables !== undefined)
        yield { at: ['environment_variables'], onKey: true, detail: 'Sessions of Ark take no environment variables.' }
    },
  }),
  rule<DeploymentBody>({
    kind,
    phase,
    code: 'ark.deployment-schedule',
    severity: 'warning',
    spec,
    summary: 'Nothing runs by itself here',
    fix: 'Call `agents deployment run` from a scheduler of your own.',
    *check({ declaration: { body } }) {
      if (body.schedule !== undefined)
        yield {
          at: ['schedule'],
          onKey: true,
          detail: 'Ark has no deployments, so that nobody would keep the schedule.',
        }
    },
  }),
  rule<DeploymentBody>({
    kind,
    phase,
    code: 'ark.deployment-git-repository',
    severity: 'error',
    spec,
    summary: 'Repositories cannot be mounted here',
    fix: 'Remove the resource and let the agent clone it, or pin the deployment to qoder or claude.',
    *check({ declaration: { body } }) {
      for (const [index, { type }] of (body.resources ?? []).entries())
        if (type === 'git_repository')
          yield { at: ['resources', index, 'type'], detail: 'Sessions of Ark mount files and memory stores alone.' }
    },
  }),
  rule<DeploymentBody>({
    kind,
    phase,
    code: 'ark.deployment-tunnel',
    severity: 'error',
    spec,
    summary: 'There are no tunnels here',
    fix: 'Remove the tunnel, or pin the deployment to qoder.',
    *check({ declaration: { body } }) {
      if (body.tunnel !== undefined) yield { at: ['tunnel'], onKey: true, detail: 'A tunnel is named on qoder alone.' }
    },
  }),
  rule<DeploymentBody>({
    kind,
    phase,
    code: 'ark.deployment-system-message',
    severity: 'warning',
    spec,
    summary: 'A system message is sent as a user message here',
    fix: 'Put what must bind the agent into its instructions.',
    *check({ declaration: { body } }) {
      for (const [index, { type }] of body.initial_events.entries())
        if (type === 'system.message')
          yield {
            at: ['initial_events', index, 'type'],
            detail: 'Ark takes system messages right after a user message alone, not as a beginning.',
          }
    },
  }),
  environmentMissing('ark'),
]
