// Opens the blobs: a folder, or the storage at an address.
import type { Blobs } from './blobs.js'
import { FolderBlobs, type FolderBlobsOptions } from './folder-blobs.js'

export interface OpenBlobsOptions extends FolderBlobsOptions {
  /** Address of the storage; undefined = the folder. */
  readonly address: string | undefined
}

export async function openBlobs({ address, ...options }: OpenBlobsOptions): Promise<Blobs> {
  if (address !== undefined) throw new Error(`There is no blob storage for ${address}`)
  return FolderBlobs.open(options)
}
