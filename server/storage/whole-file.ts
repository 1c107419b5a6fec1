// Small files that are complete or absent: a crash, a full disk or another process that writes the same one at once leaves no
// part of them.
import { randomUUID } from 'node:crypto'
import { link, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hasCode } from '../../core/ports/disk.js'
import { nodeFiles } from './files.js'

/** Extension of files whose writing was interrupted. */
export const unfinishedExtension = '.part'

/**
 * Writes a file unless there is one, readable by its owner only. Of processes that do so at once, one succeeds. Returns false
 * if there is one already. The file is durable in both cases.
 */
export function writeOnce(path: string, text: string): Promise<boolean> {
  return write(path, text, async (unfinished) => {
    try {
      await link(unfinished, path)
      return true
    } catch (error) {
      if (hasCode(error, 'EEXIST')) return false
      if (!hasCode(error, 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS')) throw error
      return renameOnce(unfinished, path)
    }
  })
}

/** Age at which nobody is still writing. */
const interruptedAfterMs = 3_600_000

/** True for the name of a file whose writing to one of these names was interrupted, or goes on. */
export const isUnfinished = (name: string, names: readonly string[]): boolean =>
  name.endsWith(unfinishedExtension) && names.some((whole) => name.startsWith(`${whole}.`))

/** Removes what interrupted writing to these names has left in a folder: it may have secrets. */
export async function removeInterrupted(folder: string, names: readonly string[]): Promise<void> {
  for await (const name of nodeFiles.names(folder)) {
    if (!isUnfinished(name, names)) continue
    const path = join(folder, name)
    const found = await stat(path).catch((error: unknown) => {
      if (!hasCode(error, 'ENOENT')) throw error
      return undefined
    })
    if (found && Date.now() - found.mtimeMs > interruptedAfterMs) await nodeFiles.remove(path)
  }
}

/** Writes a file in place of the one that may be there, readable by its owner only; durable. */
export async function replaceFile(path: string, text: string): Promise<void> {
  await write(path, text, (unfinished) => rename(unfinished, path))
}

/** For file systems without links. Processes that call it in the same instant may both succeed there. */
async function renameOnce(unfinished: string, path: string): Promise<boolean> {
  const exists = await stat(path).catch((error: unknown) => {
    if (!hasCode(error, 'ENOENT')) throw error
    return undefined
  })
  if (exists) return false
  await rename(unfinished, path)
  return true
}

async function write<Result>(
  path: string,
  text: string,
  name: (unfinished: string) => Promise<Result>,
): Promise<Result> {
  const unfinished = `${path}.${randomUUID()}${unfinishedExtension}`
  try {
    await writeFile(unfinished, text, { mode: 0o600, flush: true, flag: 'wx' })
    const result = await name(unfinished)
    await nodeFiles.syncFolder(dirname(path))
    return result
  } finally {
    await rm(unfinished, { force: true })
  }
}
