// Opens the blobs: a folder, or the storage at an address.
import { join } from 'node:path'
import type { Blobs } from './blobs.js'
import { DataFolderUnfit } from './data-folder.js'
import { nodeFiles } from './files.js'
import { FolderBlobs, type FolderBlobsOptions } from './folder-blobs.js'

export interface OpenBlobsOptions extends FolderBlobsOptions {
  /** Address of the storage; undefined = the folder. */
  readonly address: string | undefined
  /** Folder of local copies of blobs in the storage. */
  readonly copies: string
  readonly copiesBytesMax: number
}

export async function openBlobs({ address, copies, copiesBytesMax, ...options }: OpenBlobsOptions): Promise<Blobs> {
  if (address === undefined) return FolderBlobs.open(options)
  await refuseUsed(options.folder)
  // The client of the storage asks for newer versions of Node.js at every start otherwise.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
  const { S3Blobs } = await import('./s3/s3-blobs.js')
  return S3Blobs.open({ ...options, address, copies, copiesBytesMax })
}

/** Files of a folder would seem to be missing if they were looked for in the storage. */
async function refuseUsed(folder: string): Promise<void> {
  for await (const name of nodeFiles.names(folder)) {
    throw new DataFolderUnfit(
      `${join(folder, name)} was written without --blobs. Copy the files to the storage as docs/operations/object-storage.md describes and move the folder away, or leave --blobs out.`,
    )
  }
}
