// Derives declarations of the kinds that are compared alike in both APIs.
import type { ListedObject, Remote } from '../../core/plugin/handler.js'
import type { RemoteIndex } from '../../core/plugin/remote-index.js'
import type { JsonObject, Tree } from '../../core/value/tree.js'
import { declared, declaredEnvironment, declaredMetadata, ownName } from '../shared/declared.js'
import { credentialName, declaredVault } from '../shared/declared-vault.js'
import { objectOf, textOf } from '../shared/wire.js'
import { credentialIdentity, observedCredential } from './credential.js'

export function calledName(remote: Remote): string | undefined {
  return textOf(remote['name']) || textOf(remote['display_name']) || undefined
}

/** Returns the declaration for the compared tree. */
export function environmentBody(tree: Tree, index: RemoteIndex): JsonObject | undefined {
  const { type, setup_script } = objectOf(tree['config'])
  const script = declared({ setup_script })
  const cloud = declaredEnvironment(tree, index)
  if (cloud) return { ...cloud, config: { ...objectOf(cloud['config']), ...script } }
  if (type !== 'self_hosted') return undefined
  const { name, description, metadata } = tree
  return declared({
    name: ownName(name, index),
    description,
    config: { type, ...script },
    metadata: declaredMetadata(metadata),
  })
}

/** Returns the declaration for the compared tree; names of credentials are not always returned by the API. */
export function vaultBody(tree: Tree, { parts }: ListedObject, index: RemoteIndex): JsonObject {
  const credentials = [...parts.values()].map((credential) => {
    const { subject, says } = credentialIdentity(credential)
    const known = index.nameWritten('credentials', says) ?? subject
    return { ...observedCredential(credential), display_name: credentialName(credential['display_name'], known) }
  })
  return declaredVault(tree, credentials, index)
}
