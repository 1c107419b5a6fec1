// Deployments: repeatable runs of an agent (agent configuration 2.16).
import { kind, type Reference } from '../../core/plugin/kind.js'
import { type DeploymentBody, deploymentSchema } from './deployment-body.js'
import { deploymentRules } from './deployment-rules.js'
import { resourceWords } from './resource.js'

export const deployment = kind({
  kind: 'deployment',
  section: 'deployments',
  summary: 'Repeatable run units.',
  schema: deploymentSchema,
  words: resourceWords,
  references,
  outside: (body) => [...uploadsOutside(body)].map((id) => ({ kind: 'file', id })),
  rules: deploymentRules,
})

/** Yields ids of files that were uploaded outside of this project. */
function* uploadsOutside({ resources = [], initial_events }: DeploymentBody): Iterable<string> {
  for (const resource of resources)
    if (resource.type === 'file' && resource.file_id !== undefined) yield resource.file_id
  for (const event of initial_events) {
    if (event.type !== 'user.define_outcome' || typeof event.rubric !== 'object') continue
    if (event.rubric.type === 'file') yield event.rubric.file_id
  }
}

function references(body: DeploymentBody): readonly Reference[] {
  const found: Reference[] = [{ at: ['agent'], kind: 'agent', name: body.agent, role: 'value' }]
  const { environment, tunnel } = body
  if (environment !== undefined)
    found.push({ at: ['environment'], kind: 'environment', name: environment, role: 'value' })
  if (tunnel !== undefined) found.push({ at: ['tunnel'], kind: 'tunnel', name: tunnel, role: 'session' })
  for (const [index, name] of (body.vaults ?? []).entries())
    found.push({ at: ['vaults', index], kind: 'vault', name, role: 'value' })
  for (const [index, name] of (body.memory_stores ?? []).entries())
    found.push({ at: ['memory_stores', index], kind: 'memory_store', name, role: 'value' })
  for (const [index, item] of (body.resources ?? []).entries()) {
    if (item.type !== 'memory_store') continue
    const at = ['resources', index, 'memory_store']
    found.push({ at, kind: 'memory_store', name: item.memory_store, role: 'value' })
  }
  return found
}
