// Environments: cloud sandboxes. Type and network accept a single value each, so they are sent but not compared.
import { patchBody } from '../../core/plugin/body.js'
import { type Handler, handler } from '../../core/plugin/handler.js'
import { pathTo } from '../../core/plugin/path-to.js'
import type { Written } from '../../core/plugin/undeclared.js'
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

/** Packages are replaced as a whole if they are sent: an empty object clears them. */
const wire = (tree: Tree): JsonObject => ({ ...tree, config: config(tree) })

const written = { fields, wire } as const satisfies Written

export const environment: Handler<BailianClient> = handler<BailianClient, EnvironmentBody>({
  ...collection('/environments'),
  ...written,
  kind: 'environment',
  support: { reason: 'cloud environments with unrestricted networks' },
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

  create: ({ client, signal }, { desired }) => client.create('/environments', wire(desired), { signal }),
  update: ({ client, signal }, request) =>
    client.update(pathTo`/environments/${request.id}`, patchBody(fields, request, written), { signal }),

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
