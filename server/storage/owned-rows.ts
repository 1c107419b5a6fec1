// How keys of rows begin that belong to a tenant or a document, and how such rows name the blobs of their document.
import type { StoredBlob } from '../rows/version.js'
import type { BlobClaim } from './row-kind.js'

export const ofTenant = [['tenant', 'text']] as const
export const ofDocument = [...ofTenant, ['document', 'text']] as const

export function claimed(owner: { readonly tenant: string; readonly document: string }, stored: StoredBlob): BlobClaim {
  const { name, sizeBytes, sha256 } = stored
  return { blob: { ...owner, name }, sizeBytes, sha256 }
}
