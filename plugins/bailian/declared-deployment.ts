// Derives the declaration of a deployment, including the messages that start its runs.
import type { Remote } from '../../core/plugin/handler.js'
import type { RemoteIndex } from '../../core/plugin/remote-index.js'
import type { Json, JsonObject, Tree } from '../../core/value/tree.js'
import { declaredFile, declaredRun, declaredText } from '../shared/declared-run.js'
import { mountPathProblem } from '../shared/mount-path.js'
import { objectsOf } from '../shared/wire.js'
import { mountRoot } from './mounts.js'

/** Returns a message with the role `user`, also for system messages. */
export function message(content: Json | undefined): JsonObject {
  const parts = typeof content === 'string' ? [{ text: content }] : objectsOf(content)
  return { type: 'message', role: 'user', content: parts.map(({ text }) => ({ type: 'text', text })) }
}

/** Returns the declaration; undefined if a part cannot be declared. `tree`: the compared tree. */
export function declaredDeployment(remote: Remote, tree: Tree, index: RemoteIndex): JsonObject | undefined {
  const resources = objectsOf(tree['resources']).map((resource) => mounted(resource, index))
  return declaredRun(tree, { resources, initialEvents: objectsOf(remote['initial_events']).map(declaredEvent) }, index)
}

function mounted({ type, file_id, mount_path }: JsonObject, index: RemoteIndex): JsonObject | undefined {
  if (type !== 'file' || mountPathProblem(mountRoot, String(mount_path)) !== undefined) return undefined
  return { ...declaredFile(file_id, index), mount_path }
}

/** Returns a user's text message; undefined for other events, which the next update would change. */
function declaredEvent({ type, role, content }: JsonObject): JsonObject | undefined {
  const isText = objectsOf(content).every((block) => block['type'] === 'text' && block['text'] !== '')
  if (type !== 'message' || role !== 'user' || !isText) return undefined
  return { type: 'user.message', content: declaredText(content) }
}
