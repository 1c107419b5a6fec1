// Rules for deployments (agent configuration 2.16).
import { type ProviderRule, rule } from '../../../core/plugin/rule.js'
import { hasPlaceholder } from '../../../core/value/placeholder.js'
import type { DeploymentBody } from '../../kinds/deployment-body.js'
import { environmentMissing } from '../../shared/deployment-environment.js'
import { tunnelsByAddress } from './agent.js'

const vaultsMax = 50
const resourcesMax = 500
const rubricCharactersMax = 262_144

export const deploymentRules: readonly ProviderRule[] = [
  rule<DeploymentBody>({
    kind: 'deployment',
    phase: 'declaration',
    code: 'claude.deployment-foreign-field',
    severity: 'error',
    spec: '2.16',
    summary: 'A field of deployments belongs to another provider',
    fix: 'Remove the field, or pin the deployment to qoder.',
    *check({ declaration: { body } }) {
      if (body.environment_variables !== undefined)
        yield {
          at: ['environment_variables'],
          onKey: true,
          detail: 'Deployments of Claude carry no environment variables.',
          fix: 'Put the values into a vault as environment_variable credentials.',
        }
      if (body.tunnel !== undefined) yield { at: ['tunnel'], onKey: true, detail: tunnelsByAddress }
    },
  }),
  rule<DeploymentBody>({
    kind: 'deployment',
    phase: 'declaration',
    code: 'claude.deployment-without-input',
    severity: 'error',
    spec: '2.16',
    summary: 'A deployment gives its agent nothing to do',
    fix: 'Add a user.message or a user.define_outcome to initial_events.',
    *check({ declaration: { body } }) {
      if (!body.initial_events.some(({ type }) => type === 'user.message' || type === 'user.define_outcome'))
        yield { at: ['initial_events'], onKey: true, detail: 'Claude wants one event of a user at least.' }
    },
  }),
  rule<DeploymentBody>({
    kind: 'deployment',
    phase: 'declaration',
    code: 'claude.deployment-outcome',
    severity: 'error',
    spec: '2.16',
    summary: 'An outcome is not described',
    fix: 'Add description.',
    *check({ declaration: { body } }) {
      for (const [index, event] of body.initial_events.entries()) {
        if (event.type === 'user.define_outcome' && event.description === undefined)
          yield { at: ['initial_events', index], detail: 'Claude wants a description of every outcome.' }
      }
    },
  }),
  rule<DeploymentBody>({
    kind: 'deployment',
    phase: 'declaration',
    code: 'claude.deployment-limits',
    severity: 'error',
    spec: '2.16',
    summary: 'A deployment names more than the provider takes',
    fix: 'Shorten the list.',
    *check({ declaration: { body } }) {
      const lists = [
        { field: 'vaults', count: body.vaults?.length ?? 0, max: vaultsMax },
        { field: 'resources', count: body.resources?.length ?? 0, max: resourcesMax },
      ]
      for (const { field, count, max } of lists)
        if (count > max)
          yield { at: [field], onKey: true, detail: `Claude takes at most ${max} ${field}; these are ${count}.` }
      for (const [index, event] of body.initial_events.entries()) {
        if (event.type !== 'user.define_outcome') continue
        const { rubric } = event
        const text = typeof rubric === 'string' ? rubric : rubric?.type === 'text' ? rubric.content : ''
        if (!hasPlaceholder(text) && text.length > rubricCharactersMax)
          yield {
            at: ['initial_events', index, 'rubric'],
            detail: `Claude takes rubrics of up to ${rubricCharactersMax} characters; this one has ${text.length}.`,
            fix: 'Shorten it, or name a file under rubric_file.',
          }
      }
    },
  }),
  environmentMissing('claude'),
]
