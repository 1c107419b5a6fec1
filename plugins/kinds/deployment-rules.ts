// Rules for deployments on every provider: schedules, rubrics, files (agent configuration 2.16).

import type { KindRule } from '../../core/plugin/rule.js'
import { hasPlaceholder } from '../../core/value/placeholder.js'
import { closest, listed } from '../../core/value/suggestions.js'
import { deploymentRepositoryAddress } from './address-rules.js'
import { cronFault, isTimeZone } from './cron.js'
import type { DeploymentBody } from './deployment-body.js'

type DeploymentRule = KindRule<DeploymentBody>

const cron: DeploymentRule = {
  code: 'deployment.schedule-expression',
  severity: 'error',
  spec: '2.16',
  summary: 'A schedule is not a five-field cron expression that fires',
  fix: 'Write minute, hour, day of the month, month and day of the week, such as "0 9 * * 1-5".',
  *check({ body: { schedule } }) {
    if (schedule === undefined || hasPlaceholder(schedule.expression)) return
    const fault = cronFault(schedule.expression)
    if (fault !== undefined) yield { at: ['schedule', 'expression'], detail: fault }
  },
}

const timeZone: DeploymentRule = {
  code: 'deployment.schedule-timezone',
  severity: 'error',
  spec: '2.16',
  summary: 'A time zone is not known',
  fix: 'Use a name of the IANA time zone database, such as Europe/Berlin or UTC.',
  *check({ body: { schedule } }) {
    if (schedule === undefined || hasPlaceholder(schedule.timezone) || isTimeZone(schedule.timezone)) return
    const found = closest(schedule.timezone, Intl.supportedValuesOf('timeZone'))
    const detail = `"${schedule.timezone}" is not one.${found === undefined ? '' : ` Did you mean "${found}"?`}`
    yield { at: ['schedule', 'timezone'], detail }
  },
}

const rubric: DeploymentRule = {
  code: 'deployment.outcome-rubric',
  severity: 'error',
  spec: '2.16',
  summary: 'An outcome needs one rubric',
  fix: 'Write the rubric under rubric, or name its file under rubric_file.',
  *check({ body }) {
    for (const [index, event] of body.initial_events.entries()) {
      if (event.type !== 'user.define_outcome') continue
      const count = countOf(event.rubric, event.rubric_file)
      if (count !== 1) yield { at: ['initial_events', index], detail: oneOf(count, ['rubric', 'rubric_file']) }
    }
  },
}

const file: DeploymentRule = {
  code: 'deployment.file-source',
  severity: 'error',
  spec: '2.16',
  summary: 'A file resource needs one origin',
  fix: 'Name a local file under source, or an uploaded one under file_id.',
  *check({ body }) {
    for (const [index, resource] of (body.resources ?? []).entries()) {
      if (resource.type !== 'file') continue
      const count = countOf(resource.source, resource.file_id)
      if (count !== 1) yield { at: ['resources', index], detail: oneOf(count, ['source', 'file_id']) }
    }
  },
}

const sharedId: DeploymentRule = {
  code: 'deployment.remote-id-shared',
  severity: 'error',
  spec: '2.16',
  summary: 'One remote id serves several providers',
  fix: 'Pin the deployment to the provider the id belongs to, or use source.',
  *check({ body, providers }) {
    if (providers.names.length < 2) return
    for (const [index, resource] of (body.resources ?? []).entries()) {
      if (resource.type !== 'file' || resource.file_id === undefined) continue
      const detail = `The file exists on one provider only, and the deployment goes to ${providers.names.join(', ')}.`
      yield { at: ['resources', index, 'file_id'], detail }
    }
  },
}

export const deploymentRules: readonly DeploymentRule[] = [
  cron,
  timeZone,
  rubric,
  file,
  sharedId,
  deploymentRepositoryAddress,
]

function countOf(...values: readonly unknown[]): number {
  return values.filter((value) => value !== undefined).length
}

function oneOf(count: number, keys: readonly string[]): string {
  return count === 0
    ? `Neither ${listed(keys).replace(' or ', ' nor ')} is given.`
    : `Both ${listed(keys).replace(' or ', ' and ')} are given.`
}
