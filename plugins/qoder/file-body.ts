// Compared members of files in both APIs.
import type { Declaration } from '../../core/plugin/declaration.js'
import type { FieldTable, Remote } from '../../core/plugin/handler.js'
import type { Scope } from '../../core/plugin/scope.js'
import type { Tree } from '../../core/value/tree.js'
import type { FileBody } from '../kinds/file.js'
import { metadataOf } from './wire.js'

export const fileFields: FieldTable = {
  filename: { immutable: true },
  purpose: { immutable: true, owner: 'whileDeclared' },
  metadata: { immutable: true, owner: 'declared' },
  sha256: { label: 'source', immutable: true, local: true, writeOnly: true },
}

export function desiredFile({ body }: Declaration<FileBody>, scope: Scope): Tree {
  const { baseName, sha256 } = scope.source(body.source)
  return { filename: baseName, purpose: body.purpose, sha256 }
}

export function observedFile(remote: Remote): Tree {
  return { filename: remote['filename'], purpose: remote['purpose'], metadata: metadataOf(remote) }
}
