// Checks that stored files are complete: clients would take half a PDF sent with 200 for the document.
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { damagedFile } from '../refusals/damaged-file.js'
import type { BlobName } from '../storage/blobs.js'

/** Throws `Unknown` unless the file has its recorded size. `stored`: size in bytes; undefined if it is missing. */
export function refuseDamaged(
  { tenant, document, name }: BlobName,
  stored: number | undefined,
  recorded: number,
): void {
  refuseOtherSize(`${tenant}/${document}/${name}`, stored, recorded)
}

/** Throws `Unknown` unless a file in the staging folder has its recorded size. */
export async function refuseDamagedFile(path: string, recorded: number): Promise<void> {
  refuseOtherSize(basename(path), (await stat(path)).size, recorded)
}

/** `file`: name for the log. */
export function refuseOtherSize(file: string, stored: number | undefined, recorded: number): void {
  if (stored === recorded && recorded > 0) return
  throw damagedFile(new Error(`The file ${file} has ${stored ?? 'no'} bytes; ${recorded} are recorded`))
}
