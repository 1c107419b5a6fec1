// Content of a new account: one tunnel made by an administrator, skills of the service, and models.
import { type Static, Type } from 'typebox'
import { type Collection, type Route, route, seeding } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { skillCollections, tunnels } from './names.js'
import { type Context, exact, make, touched } from './object.js'

const models = ['auto', 'ultimate', 'qmodel_latest'] as const
const officialSkills = ['pdf', 'spreadsheet'] as const

export function seed(context: Context): void {
  context.store.put({ ...makeTunnel(context, { name: 'emulator' }, 'tnl_emulator'), seeded: true })
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

const TunnelSeed = Type.Object({ name: Type.String({ minLength: 1 }) }, exact)

function makeTunnel(context: Context, { name }: Static<typeof TunnelSeed>, id?: string): StoredObject {
  return make(context, { collection: tunnels, prefix: 'tnl_', id, body: { type: 'tunnel', name, status: 'connected' } })
}

/** Tunnels, to which sessions refer; no call of the service creates, changes or shows one. */
export const tunnelCollection: Collection = {
  kind: 'tunnel',
  api: 'managed',
  isTopLevel: true,
  isPermanent: true,
  touched,
  seeding: seeding({ schema: TunnelSeed, defaults: { name: 'seeded tunnel' }, create: makeTunnel }),
}

export const modelRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/models',
    handle: () => ({ body: { data: models.map((id) => ({ id, type: 'model', display_name: id })), has_more: false } }),
  }),
]
