// Writes the file of a completed signature: the base, then the stored section with the CMS in its hole. Nothing else is
// generated, so every attempt writes the same bytes.
import { constants, copyFileSync, rmSync, statSync } from 'node:fs'
import { digestOf, type FileDigest } from '../file/digest.js'
import { type ByteRange, hexString, holeLength } from './byte-range.js'
import { appendFile, writeAt } from './file-parts.js'

export interface FileRequest {
  readonly basePath: string
  readonly sectionPath: string
  readonly byteRange: ByteRange
  readonly contentsSize: number
  /** CMS in DER, at most `contentsSize` bytes. */
  readonly cms: Uint8Array
  /** Path in the staging folder; must not exist. */
  readonly path: string
}

/** Writes the file. Returns length and hash as read back from disk. Removes the file on failure. */
export function writeSignedFile(request: FileRequest): FileDigest {
  const { basePath, sectionPath, byteRange, contentsSize, cms, path } = request
  const [, holeAt, behind, rest] = byteRange
  const sizeBytes = statSync(basePath).size + statSync(sectionPath).size
  if (behind !== holeAt + holeLength(contentsSize) || behind + rest !== sizeBytes) {
    throw new Error('The stored section does not belong to the base')
  }
  try {
    // The system copies the file without passing it through this process; if the file system supports it, both files
    // share their blocks.
    copyFileSync(basePath, path, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
    appendFile(path, sectionPath)
    writeAt(path, holeAt, hexString(cms, contentsSize))
    const written = digestOf(path)
    if (written.sizeBytes !== sizeBytes) throw new Error('A written file is incomplete on disk')
    return written
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  }
}
