// Resources that sessions and deployments can mount.
import { Type } from 'typebox'
import type { JsonObject } from '../../../core/value/tree.js'
import { refuse } from '../../emulator/contract.js'
import { memoryStores } from './names.js'
import { type Context, exact, requireNamed } from './object.js'

const mountRoot = '/data/'

export const FileResource = Type.Object(
  {
    type: Type.Literal('file'),
    file_id: Type.String({ minLength: 1 }),
    mount_path: Type.Optional(Type.String()),
  },
  exact,
)

export const Resource = Type.Union([
  FileResource,
  Type.Object(
    {
      type: Type.Literal('github_repository'),
      url: Type.String({ minLength: 1 }),
      authorization_token: Type.Optional(Type.String()),
      checkout: Type.Optional(
        Type.Union([
          Type.Object({ type: Type.Literal('branch'), name: Type.String() }, exact),
          Type.Object({ type: Type.Literal('commit'), sha: Type.String() }, exact),
        ]),
      ),
      mount_path: Type.Optional(Type.String()),
    },
    exact,
  ),
  Type.Object(
    {
      type: Type.Literal('memory_store'),
      memory_store_id: Type.String({ minLength: 1 }),
      access: Type.Optional(Type.Enum(['read_write', 'read_only'])),
      instructions: Type.Optional(Type.String()),
    },
    exact,
  ),
])

export function checkResources(
  context: Context,
  resources: readonly JsonObject[],
  { files }: { readonly files: string },
): void {
  for (const { type, file_id: file, memory_store_id: store, mount_path: path } of resources) {
    if (type === 'file') requireNamed(context, [files], String(file), 'resources')
    if (type === 'memory_store') requireNamed(context, [memoryStores], String(store), 'resources')
    if (typeof path === 'string' && !path.startsWith(mountRoot))
      throw refuse('invalid', `resources: ${path} is not below ${mountRoot}`, { param: 'resources' })
  }
}

/** Returns the visible form of a resource: without tokens, and with a mount path if the request had none. */
export function shownResource(resource: JsonObject): JsonObject {
  const { authorization_token: _secret, ...shown } = resource
  if (shown['type'] === 'memory_store' || shown['mount_path'] !== undefined) return shown
  const name = String(shown['url'] ?? shown['file_id'])
    .split('/')
    .at(-1)
    ?.replace(/\.git$/, '')
  return { ...shown, mount_path: `${mountRoot}workspace/${name}` }
}
