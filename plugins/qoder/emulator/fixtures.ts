// What a fresh account holds: one tunnel that an administrator made, skills of the service itself, and models.
import { type Collection, type Route, route } from '../../emulator/contract.js'
import { skillCollections, tunnels } from './names.js'
import { type Context, make, touched } from './object.js'

const models = ['auto', 'ultimate', 'qmodel_latest'] as const
const officialSkills = ['pdf', 'spreadsheet'] as const

export function seed(context: Context): void {
  const tunnel = make(context, {
    collection: tunnels,
    prefix: 'tnl_',
    id: 'tnl_emulator',
    body: { type: 'tunnel', name: 'emulator', status: 'connected' },
  })
  context.store.put({ ...tunnel, seeded: true })
  for (const collection of Object.values(skillCollections))
    for (const name of officialSkills)
      make(context, {
        collection,
        prefix: 'skill_',
        id: `skill_${collection === skillCollections.forward ? 'forward_' : ''}${name}`,
        isCatalogue: true,
        seeded: true,
        body: {
          type: 'skill',
          display_title: name,
          description: '',
          source: 'qoder',
          latest_version: '1',
          metadata: {},
        },
      })
}

/** Tunnels are referenced by sessions; no call makes, changes or shows one. */
export const tunnelCollection: Collection = {
  kind: 'tunnel',
  api: 'managed',
  isTopLevel: true,
  isPermanent: true,
  touched,
}

export const modelRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/models',
    handle: () => ({ body: { data: models.map((id) => ({ id, type: 'model', display_name: id })), has_more: false } }),
  }),
]
