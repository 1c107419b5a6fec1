// Determines to which of the two APIs each resource belongs. An agent declares its API, and whatever it uses belongs to
// the same one (agent configuration 2.11, shared-resource rule).
import type { Declaration, Project } from '../../core/plugin/declaration.js'
import type { Placeable, Placement } from '../../core/plugin/provider.js'
import type { AgentBody } from '../kinds/agent-body.js'
import type { DeploymentBody } from '../kinds/deployment-body.js'
import type { EnvironmentBody } from '../kinds/environment.js'
import type { Api } from './client.js'

export const providerName = 'qoder'

/** Kinds that exist in only one API. */
const onlyIn: Readonly<Record<string, Api>> = {
  identity: 'forward',
  channel: 'forward',
  tunnel: 'managed',
  deployment: 'managed',
}

export function deliveryOf(body: AgentBody): Api {
  return body.delivery?.[providerName]?.type ?? 'managed'
}

export function place(resources: readonly Placeable[], project: Project): Placement {
  const users = usersOf(project)
  const apis = new Map<string, Api>()
  const findings: Placement['findings'][number][] = []
  for (const { address, declaration, rowApi } of resources) {
    const used = users.get(keyOf(declaration.kind, declaration.name)) ?? { managed: [], forward: [] }
    const [managed] = used.managed
    const [forward] = used.forward
    if (managed !== undefined && forward !== undefined && !isExternal(declaration)) {
      findings.push({
        declaration,
        code: 'qoder.shared-across-deliveries',
        finding: sharedBy(declaration, managed, forward),
      })
    }
    apis.set(address, ownApi(declaration) ?? apiOfUsers(managed, forward) ?? apiOfRow(rowApi) ?? 'managed')
  }
  return { apis, findings }
}

function ownApi(declaration: Declaration): Api | undefined {
  if (declaration.kind === 'agent') return deliveryOf(declaration.body as AgentBody) // The kind says which body it is.
  return isExternal(declaration) ? 'managed' : onlyIn[declaration.kind]
}

function apiOfUsers(managed: string | undefined, forward: string | undefined): Api | undefined {
  if (managed !== undefined) return 'managed'
  return forward === undefined ? undefined : 'forward'
}

/** Returns the API of a resource that nothing uses: the one it is recorded in. */
function apiOfRow(rowApi: string | undefined): Api | undefined {
  return rowApi === 'managed' || rowApi === 'forward' ? rowApi : undefined
}

/** True for an existing environment, which may serve agents of both APIs: it is looked up in both and never changed. */
function isExternal(declaration: Declaration): boolean {
  if (declaration.kind !== 'environment') return false
  return (declaration.body as EnvironmentBody).environment_id !== undefined // The kind says which body it is.
}

type Users = Readonly<Record<Api, string[]>>

/** Returns the users of each resource for messages: `agent "reviewer"`. */
function usersOf(project: Project): ReadonlyMap<string, Users> {
  const users = new Map<string, Users>()
  const note = (used: Iterable<readonly [string, string]>, api: Api, user: string) => {
    for (const [kind, name] of used) {
      const key = keyOf(kind, name)
      const known = users.get(key) ?? { managed: [], forward: [] }
      users.set(key, known)
      known[api].push(user)
    }
  }
  for (const { name, body, providers } of project.ofKind('agent')) {
    if (!providers.names.includes(providerName)) continue
    const agent = body as AgentBody // The kind says which body it is.
    note(usedByAgent(agent), deliveryOf(agent), `agent "${name}"`)
  }
  for (const { name, body, providers } of project.ofKind('deployment')) {
    if (!providers.names.includes(providerName)) continue
    note(usedByDeployment(body as DeploymentBody), 'managed', `deployment "${name}"`) // As above.
  }
  return users
}

function* usedByAgent(body: AgentBody): Iterable<readonly [string, string]> {
  if (body.environment !== undefined) yield ['environment', body.environment]
  if (body.vault !== undefined) yield ['vault', body.vault]
  for (const skill of body.skills ?? []) if (typeof skill === 'string') yield ['skill', skill]
  for (const file of body.files ?? []) yield ['file', typeof file === 'string' ? file : file.file]
  for (const store of body.memory_stores ?? []) yield ['memory_store', store]
  for (const resource of body.resources ?? [])
    if (resource.type === 'memory_store') yield ['memory_store', resource.memory_store]
}

function* usedByDeployment(body: DeploymentBody): Iterable<readonly [string, string]> {
  if (body.environment !== undefined) yield ['environment', body.environment]
  for (const vault of body.vaults ?? []) yield ['vault', vault]
  for (const store of body.memory_stores ?? []) yield ['memory_store', store]
  for (const resource of body.resources ?? [])
    if (resource.type === 'memory_store') yield ['memory_store', resource.memory_store]
}

function sharedBy({ kind, name }: Declaration, managed: string, forward: string) {
  return {
    at: [],
    detail: `The ${kind} "${name}" is used by ${managed} in the managed API and by ${forward} in the forward API, which cannot see each other's objects.`,
    fix: `Declare a second ${kind} for one of them.`,
  }
}

function keyOf(kind: string, name: string): string {
  return `${kind} ${name}`
}
