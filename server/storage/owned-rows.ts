// Key prefixes of rows that belong to a tenant or document, and their claims on blobs.
import type { StoredBlob } from '../rows/version.js'
import type { BlobClaim } from './row-kind.js'

export const ofTenant = [['tenant', 'text']] as const
export const ofDocument = [...ofTenant, ['document', 'text']] as const

export function claimed(owner: { readonly tenant: string; readonly document: string }, stored: StoredBlob): BlobClaim {
  const { name, sizeBytes, sha256 } = stored
  return { blob: { ...owner, name }, sizeBytes, sha256 }
}
