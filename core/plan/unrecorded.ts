// Finds objects with this project's mark on providers of which state has no rows, because state was lost or is
// elsewhere. The search also reveals a wrong key or address at the first plan, before an apply.
import { basename } from 'node:path'
import type { Diagnostic } from '../diagnostic.js'
import type { Resource } from '../graph/resource.js'
import type { Project } from '../plugin/declaration.js'
import type { Handler } from '../plugin/handler.js'
import { diagnostic } from '../problems/index.js'
import { nameOfProject } from '../state/home.js'
import type { Row } from '../state/row.js'
import { type Address, formatAddress, parseAddress } from '../value/address.js'
import type { Connections } from './connections.js'
import { explainFailure } from './explain.js'
import { markIn } from './marks.js'
import type { Plan } from './plan.js'

/**
 * Maximum number of listed objects. An account may have many objects of others, and the first apply of a project must
 * not read all of them.
 */
const listedMax = 1_000
/** Maximum number of objects named in a message. */
const namedMax = 5

export interface UnrecordedRequest {
  readonly resources: ReadonlyMap<Address, Resource>
  /** All rows of state. */
  readonly rows: ReadonlyMap<Address, Row>
  readonly projectName: string
  /** The project, whose folder names it if the file does not. */
  readonly project: Pick<Project, 'name' | 'folder'>
  readonly recreate: readonly string[]
  readonly connections: Connections
  readonly signal: AbortSignal
  readonly mode: Plan['mode']
  mask(text: string): string
}

interface UnrecordedObject {
  /** Project that its mark names. */
  readonly project: string
  readonly address: Address
  readonly id: string
}

/** Returns one error for each provider with such objects, and one for a list that fails. */
export async function findUnrecorded(request: UnrecordedRequest): Promise<readonly Diagnostic[]> {
  const { connections } = request
  const known = new Set([...request.rows.keys()].map((address) => parseAddress(address).provider))
  const handlers = new Map<string, Map<Handler, Address>>()
  /** Returns a handler for each provider, whose list shows whether the API key is accepted. */
  const probes = new Map<string, readonly [Handler, Address]>()
  for (const { provider, handler, address, externalId } of request.resources.values()) {
    const isRecreated = request.recreate.includes(provider)
    if ((known.has(provider) && !isRecreated) || externalId !== undefined) continue
    const probe = handler.list ? handler : connections.provider(provider).handlers.find(({ list }) => list)
    if (probe && !probes.has(provider)) probes.set(provider, [probe, address])
    // Objects that a destroy cannot remove keep their mark for ever.
    if (isRecreated || !handler.list || handler.mark === undefined || handler.removal === 'forget') continue
    const ofProvider = handlers.get(provider) ?? new Map<Handler, Address>()
    handlers.set(provider, ofProvider.set(handler, ofProvider.get(handler) ?? address))
  }
  for (const [provider, probe] of probes) if (!handlers.has(provider)) handlers.set(provider, new Map([probe]))
  const perProvider = await Promise.all(
    [...handlers].map(async ([provider, ofProvider]): Promise<readonly Diagnostic[]> => {
      const inspected = await Promise.all([...ofProvider].map((one) => inspectList(request, provider, ...one)))
      const failures = inspected.flatMap(({ failures = [] }) => failures)
      const found = inspected.flatMap(({ found = [] }) => found)
      return failures.length > 0
        ? failures.slice(0, 1)
        : found.length > 0
          ? foundProblems(request, provider, found)
          : []
    }),
  )
  return perProvider.flat()
}

async function inspectList(
  { resources, recreate, connections, signal, mask }: UnrecordedRequest,
  provider: string,
  handler: Handler,
  sample: Address,
): Promise<{ readonly found?: readonly UnrecordedObject[]; readonly failures?: readonly Diagnostic[] }> {
  const found: UnrecordedObject[] = []
  // With --recreate, marks of an earlier apply are expected, and the list only shows whether the API key is accepted.
  const isProbe = handler.mark === undefined || recreate.includes(provider)
  let budget = isProbe ? 1 : listedMax
  try {
    for await (const remote of handler.list?.(connections.call(provider, signal)) ?? []) {
      const mark = isProbe || handler.isGone?.(remote) ? undefined : markIn(handler, handler.observed(remote))
      const address =
        mark?.name === undefined ? undefined : formatAddress({ provider, kind: handler.kind, name: mark.name })
      if (mark !== undefined && address !== undefined && resources.get(address)?.handler === handler)
        found.push({ project: mark.project, address, id: handler.outputs(remote).id })
      if (--budget === 0) break
    }
    return { found }
  } catch (error) {
    return { failures: explainFailure(error, sample, mask) }
  }
}

const consequences: Readonly<Record<Plan['mode'], string>> = {
  apply: 'They would be created a second time.',
  destroy: 'They would stay where they are.',
  refresh: 'They cannot be compared, and an apply would create them a second time.',
}

function foundProblems(
  { projectName, project, mode }: UnrecordedRequest,
  provider: string,
  found: readonly UnrecordedObject[],
): readonly Diagnostic[] {
  const ours = found.filter(({ project }) => project === projectName)
  if (ours.length > 0) return [unrecorded(provider, ours, mode)]
  if (project.name !== undefined || mode !== 'apply') return []
  // Several files in one folder are several projects, and nothing is in doubt.
  const folder = nameOfProject(basename(project.folder))
  const doubtful = found.filter((one) => one.project !== folder && !one.project.startsWith(`${folder}.`))
  return doubtful.length === 0 ? [] : [sameNames(provider, projectName, doubtful)]
}

/** Asks which project this is: the folder of another checkout of the same project may have another name. */
function sameNames(provider: string, projectName: string, found: readonly UnrecordedObject[]): Diagnostic {
  const [first] = found
  const theirs = found.filter(({ project }) => project === first?.project)
  return diagnostic('plan.same-names', {
    detail: `State knows nothing on ${provider}, where the project "${first?.project}" has objects of the same names: ${listedObjects(theirs)}. This file does not name its project, so the name of its folder counts, "${projectName}".`,
    fix: `If it is the same project, write project: ${JSON.stringify(first?.project)} into the file. If it is another one, write project: ${JSON.stringify(projectName)}.`,
  })
}

function listedObjects(found: readonly UnrecordedObject[]): string {
  const named = found.slice(0, namedMax).map(({ address, id }) => `${address} is ${id}`)
  return `${named.join(', ')}${found.length > namedMax ? `, and ${found.length - namedMax} more` : ''}`
}

function unrecorded(provider: string, found: readonly UnrecordedObject[], mode: Plan['mode']): Diagnostic {
  const [first] = found
  return diagnostic('plan.unrecorded', {
    detail: `State knows nothing on ${provider}, but objects with the mark of this project exist: ${listedObjects(found)}. ${consequences[mode]}`,
    fix: `To bind the existing objects: agents sync --import --owned --provider ${provider}, or one by one: agents import ${first?.address} ${first?.id}. If they belong to another project whose folder has the same name: ${mode === 'destroy' ? 'there is nothing to destroy here' : 'write another name into this file, as project:'}.`,
  })
}
