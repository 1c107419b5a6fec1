// Paths of blobs in a folder: `<tenant>/<document>/<name>`. Parts that are not internal names are a bug and are refused
// before they can address another folder.
import { join } from 'node:path'
import type { BlobName } from './blobs.js'

/** True for a single path segment of tenant, document or name. */
export const blobNamePart = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/

export interface BlobOwner {
  readonly tenant: string
  readonly document?: string
}

export const isBlobNamePart = (text: string): boolean => blobNamePart.test(text)

/** Returns the folder of a document, or of a tenant. */
export function ownerFolder(root: string, { tenant, document }: BlobOwner): string {
  return join(root, ...[tenant, ...(document === undefined ? [] : [document])].map(checkedPart))
}

export function blobPath(root: string, { tenant, document, name }: BlobName): string {
  return join(ownerFolder(root, { tenant, document }), checkedPart(name))
}

/** Throws a TypeError for a text that is no internal name. */
export function checkedPart(text: string): string {
  if (isBlobNamePart(text)) return text
  throw new TypeError(`${JSON.stringify(text)} cannot be part of the name of a blob`)
}
