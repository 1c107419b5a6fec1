// Derives the declaration of a skill. Its only member is the folder that sync writes the content into.
import type { ListedObject } from '../../core/plugin/handler.js'
import type { RemoteIndex } from '../../core/plugin/remote-index.js'
import type { JsonObject } from '../../core/value/tree.js'

export function declaredSkill(_skill: ListedObject, index: RemoteIndex): JsonObject | undefined {
  const source = index.folder('source')
  return source === undefined ? undefined : { source }
}
