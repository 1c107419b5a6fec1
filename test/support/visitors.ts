// Users of Qoder's forward API who come as soon as an identity and a template are there: the service then makes the pair
// a memory store (agent configuration 2.12), which no call of ours could bring about.
import type { JsonObject } from '../../core/value/tree.js'
import type { EmulatedProvider, EmulatedRequest, Route } from '../../plugins/emulator/contract.js'
import { qoderEmulator } from '../../plugins/qoder/emulator/index.js'

const mountsPath = '/identities/:identity/templates/:template/memory_stores'

/** Before anyone looks at the mounts of a pair, somebody had a session there and left. */
export const visitedQoder: EmulatedProvider = {
  ...qoderEmulator,
  apis: qoderEmulator.apis.map((api) => ({ ...api, routes: api.routes.map(visited) })),
}

function visited(route: Route): Route {
  if (route.method !== 'GET' || route.path !== mountsPath) return route
  return {
    ...route,
    handle(request) {
      visit(request)
      return route.handle(request)
    },
  }
}

function visit(request: EmulatedRequest): void {
  const { identity, template } = request.params
  const body: JsonObject = { identity_id: identity, template_id: template }
  const isUsable = request.store.find('identities', identity ?? '') && isActive(request, template ?? '')
  if (!isUsable) return
  const session = qoderEmulator.collections['forward_sessions']?.seeding?.create(request, body, undefined)
  if (session) request.store.remove(session)
}

function isActive({ store }: EmulatedRequest, template: string): boolean {
  const held = store.find('templates', template)
  return held !== undefined && typeof held.body['archived_at'] !== 'string'
}
