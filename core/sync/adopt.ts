// Records that local folders have the content of the providers, so that the next plan has nothing to upload.
import { WantedLeaves } from '../apply/record.js'
import { buildResource } from '../graph/resource.js'
import { fieldOf, type LeafHasher } from '../plan/hasher.js'
import type { EngineOptions } from '../plan/options.js'
import { KnownOutputs } from '../plan/outputs.js'
import type { Handler } from '../plugin/handler.js'
import { createHasher } from '../state/hashes.js'
import type { Row } from '../state/row.js'
import type { StateWriter } from '../state/store.js'
import type { LeafPath } from '../value/tree.js'
import { addressOf } from './discover.js'
import type { ObjectBody } from './propose.js'

/** Records the digests of downloaded content. `options` contain the project as it is on the disk now. */
export async function recordContents(
  options: EngineOptions,
  state: StateWriter,
  adopted: readonly ObjectBody[],
): Promise<void> {
  const { project, registry } = options
  const { rows, project: projectName } = state
  const values = new KnownOutputs(project.variables, rows)
  const hasher: LeafHasher = createHasher({ salt: state.salt, derive: options.derive })
  for (const { object, name } of adopted) {
    const { provider, kind, api, handler } = object
    const address = addressOf(object, name)
    const row = rows.get(address)
    const declaration = project.find(kind, name)
    if (!row || !declaration) continue
    const request = { project, registry, projectName, rows, targets: () => [provider] }
    const resource = buildResource({
      request,
      providerName: provider,
      declaration,
      address,
      api,
      handler,
      removeAfter: row.removeAfter ?? [],
    })
    const leaves = await new WantedLeaves(resource, { values, hasher }).recorded()
    await state.put(address, { ...row, leaves: { ...row.leaves, ...contentLeaves(handler, leaves) } })
  }
}

/** Returns the leaves that are digests of local sources. */
export function contentLeaves(handler: Handler, leaves: Row['leaves']): Row['leaves'] {
  return Object.fromEntries(
    Object.entries(leaves).filter(([path]: readonly [LeafPath, unknown]) => fieldOf(handler, path).local === true),
  )
}
