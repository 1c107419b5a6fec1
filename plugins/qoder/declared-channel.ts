// Derives declarations of channels. The API returns the names of their credentials only.
import type { RemoteIndex } from '../../core/plugin/remote-index.js'
import type { Json, JsonObject, Tree } from '../../core/value/tree.js'
import { declared, ownName } from '../shared/declared.js'
import { objectOf, textOf } from '../shared/wire.js'
import { channelCredentials } from './channel-credentials.js'

/** Default for what a channel shows of its agent's work. */
export const responseDefaults = { include_tool_calls: false, include_thinking: false } as const
const defaultOptions: ReadonlyMap<string, Json> = new Map(Object.entries(responseDefaults))

/**
 * Returns the declaration for the compared tree; undefined if the channel was bound by QR code, or refers to an object
 * that the project cannot name.
 */
export function channelBody(tree: Tree, index: RemoteIndex): JsonObject | undefined {
  const { channel_type: type, mode, name, enabled, identity_id, template_id, response_options } = tree
  const credentials = channelCredentials[textOf(type)]
  const isFixed = mode !== 'pairing'
  const agent = isFixed ? index.name('agent', textOf(template_id)) : undefined
  const identity = isFixed ? index.name('identity', textOf(identity_id)) : undefined
  if (!credentials) return index.cannotSay('it is bound by a QR code')
  if (isFixed && (agent === undefined || identity === undefined))
    return index.cannotSay('its agent or its identity is not declared')
  const options = Object.entries(objectOf(response_options)).filter(([key, value]) => defaultOptions.get(key) !== value)
  return {
    type,
    ...declared({ mode: isFixed ? undefined : mode, agent, identity, name: ownName(name, index) }),
    ...(enabled === false ? { enabled } : {}),
    credentials: Object.fromEntries(
      credentials.map((credential) => [credential, index.secret(['credentials', credential], index.self, credential)]),
    ),
    ...declared({ options: Object.fromEntries(options) }),
  }
}
