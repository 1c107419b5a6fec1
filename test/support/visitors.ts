// Simulates users of Qoder's forward API, whose first session makes the service create a memory store for an identity and a
// template (agent configuration 2.12); no API call creates it.
import type { EmulatedProvider, EmulatedRequest, Route } from '../../plugins/emulator/contract.js'
import { qoderEmulator } from '../../plugins/qoder/emulator/index.js'

const mountsPath = '/identities/:identity/templates/:template/memory_stores'

export interface Visits {
  readonly identity: string
  readonly templates: readonly string[]
}

/** Ended sessions of identities, by external id and names. */
export function visitedQoder(visits: Visits): EmulatedProvider {
  const visited = (route: Route): Route => {
    if (route.method !== 'GET' || route.path !== mountsPath) return route
    return {
      ...route,
      handle(request) {
        visit(request, visits)
        return route.handle(request)
      },
    }
  }
  return { ...qoderEmulator, apis: qoderEmulator.apis.map((api) => ({ ...api, routes: api.routes.map(visited) })) }
}

function visit(request: EmulatedRequest, { identity, templates }: Visits): void {
  const visitor = request.store.find('identities', request.params['identity'] ?? '')
  const template = request.store.find('templates', request.params['template'] ?? '')
  if (visitor?.body['external_id'] !== identity || !templates.includes(String(template?.body['name']))) return
  if (typeof template?.body['archived_at'] === 'string') return
  const body = { identity_id: visitor.id, template_id: template?.id }
  const session = qoderEmulator.collections['forward_sessions']?.seeding?.create(request, body, undefined)
  if (session) request.store.remove(session)
}
