// Environments: cloud sandboxes. Type and network accept a single value each, so they are sent but not compared.
import { patchBody } from '../../core/plugin/body.js'
import { type Handler, handler } from '../../core/plugin/handler.js'
import { pathTo } from '../../core/plugin/path-to.js'
import type { JsonObject, Tree } from '../../core/value/tree.js'
import type { EnvironmentBody } from '../kinds/environment.js'
import { declaredEnvironment } from '../shared/declared.js'
import { objectOf } from '../shared/wire.js'
import { calledName, collection } from './answers.js'
import type { BailianClient } from './client.js'

const fields = {
  description: { clear: '' },
  'config/packages': { unordered: true },
  metadata: { clear: {} },
} as const

/** Fixed members; a rule refuses other networks. */
const fixed = { type: 'cloud', networking: { type: 'unrestricted' } } as const

export const environment: Handler<BailianClient> = handler<BailianClient, EnvironmentBody>({
  ...collection('/environments'),
  kind: 'environment',
  support: { reason: 'cloud environments with unrestricted networks' },
  fields,
  mark: 'metadata',

  desired: ({ name, body }) => ({
    name: body.name ?? name,
    description: body.description,
    config: { packages: body.config?.packages },
    metadata: body.metadata,
  }),
  observed: (remote) => ({
    name: remote['name'],
    description: remote['description'],
    config: { packages: objectOf(remote['config'])['packages'] },
    metadata: remote['metadata'],
  }),

  create: ({ client, signal }, { desired }) =>
    client.create('/environments', { ...desired, config: config(desired) }, { signal }),
  update: ({ client, signal }, request) => {
    const body = patchBody(fields, request)
    // Packages are replaced as a whole if they are sent: an empty object clears them.
    const changed = request.changes.some(({ path }) => path.startsWith('config/'))
    return client.update(
      pathTo`/environments/${request.id}`,
      changed ? { ...body, config: config(request.desired) } : body,
      {
        signal,
      },
    )
  },

  lostCreate: { by: 'mark' },
  name: calledName,
  declare: ({ remote }, index) => {
    const tree = environment.observed(remote)
    return declaredEnvironment({ ...tree, config: config(tree) }, index)
  },
})

function config(desired: Tree): JsonObject {
  return { ...fixed, packages: objectOf(desired['config'])['packages'] ?? {} }
}
