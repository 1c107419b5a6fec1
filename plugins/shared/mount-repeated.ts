// Rule that reports several mounts at the same path, of which the provider would silently mount only one (agent
// configuration 2.14).
import type { Finding } from '../../core/plugin/declaration.js'
import { type ProviderRule, rule } from '../../core/plugin/rule.js'
import { hasPlaceholder } from '../../core/value/placeholder.js'
import type { AgentBody } from '../kinds/agent-body.js'
import type { DeploymentBody } from '../kinds/deployment-body.js'
import { mountPlace } from './mount-path.js'

export interface MountPlaces {
  /** Canonical name, used in the code. */
  readonly provider: string
  readonly root: string
  /** Kinds for which this rule reports a store that is mounted twice, instead of a rule of the provider. */
  readonly stores: readonly ('agent' | 'deployment')[]
  /** Default mount of a repository, relative to the root. Absent: repositories are not mounted. */
  repository?(url: string): string
}

type Resource = NonNullable<AgentBody['resources'] | DeploymentBody['resources']>[number]

export function mountRepeatedRules(places: MountPlaces): readonly ProviderRule[] {
  const text = {
    code: `${places.provider}.mount-repeated`,
    severity: 'error',
    spec: '2.14',
    summary: 'One thing is mounted twice, or two in one place',
    fix: 'Keep one of them, or give each a mount_path of its own.',
    phase: 'declaration',
  } as const
  return [
    rule<AgentBody>({
      ...text,
      kind: 'agent',
      check: ({ declaration: { body } }) =>
        repetitions([...filesOf(body), ...resourcesOf('agent', body, places)], places),
    }),
    rule<DeploymentBody>({
      ...text,
      kind: 'deployment',
      check: ({ declaration: { body } }) => repetitions(resourcesOf('deployment', body, places), places),
    }),
  ]
}

interface Mount {
  readonly at: Finding['at']
  /** Path, absolute or relative to the root, or the store that identifies the mount. */
  readonly place: { readonly path: string } | { readonly store: string }
}

function* repetitions(mounted: Iterable<Mount>, { root }: MountPlaces): Iterable<Finding> {
  const first = new Map<string, Mount>()
  for (const one of mounted) {
    const key = keyOf(one, root)
    if (hasPlaceholder(key)) continue
    const earlier = first.get(key)
    if (earlier)
      yield {
        at: one.at,
        detail: `${subjectOf(earlier.at)} is mounted ${'path' in one.place ? 'at' : 'from'} ${key} already.`,
      }
    else first.set(key, one)
  }
}

function keyOf({ place }: Mount, root: string): string {
  return 'store' in place ? place.store : mountPlace(root, place.path)
}

function subjectOf([section, index]: Finding['at']): string {
  return `${String(section)}[${String(index)}]`
}

function* filesOf({ files }: AgentBody): Iterable<Mount> {
  for (const [index, file] of (files ?? []).entries())
    if (typeof file !== 'string') yield { at: ['files', index], place: { path: file.mount_path } }
}

function* resourcesOf(
  kind: 'agent' | 'deployment',
  { resources }: AgentBody | DeploymentBody,
  places: MountPlaces,
): Iterable<Mount> {
  for (const [index, resource] of (resources ?? []).entries()) {
    const place = placeOf(resource, places)
    if (place !== undefined && ('path' in place || places.stores.includes(kind)))
      yield { at: ['resources', index], place }
  }
}

/** Returns the place; undefined if the server chooses it. */
function placeOf(resource: Resource, { repository }: MountPlaces): Mount['place'] | undefined {
  if (resource.type === 'memory_store') return { store: resource.memory_store }
  if (resource.mount_path !== undefined) return { path: resource.mount_path }
  return resource.type === 'git_repository' && repository ? { path: repository(resource.url) } : undefined
}
