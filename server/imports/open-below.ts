// Opens a regular file below a folder, whatever is moved or linked there meanwhile: every segment is opened inside the
// folder that was opened before it, and no symbolic link is followed.
import { constants } from 'node:fs'
import { type FileHandle, lstat, open, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants

/** The path leads to something else than a regular file below the folder. */
export class NotPlainFile extends Error {
  override readonly name = 'NotPlainFile'
}

/**
 * Opens a file. `segments` has no empty segment, `.` or `..`. Throws `RootMissing`, `NotPlainFile`, and the errors of
 * the system, such as `ENOENT`, `ELOOP` and `ENOTDIR`.
 */
export async function openBelow(root: string, segments: readonly string[]): Promise<FileHandle> {
  let folder = await openRoot(root)
  let path = root
  try {
    for (const segment of segments.slice(0, -1)) {
      path = join(path, segment)
      const next = await open(inside(folder, path, segment), O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
      await folder.close()
      folder = next
    }
    const last = segments.at(-1) ?? ''
    return await openFile(inside(folder, join(path, last), last), { root, segments })
  } finally {
    await folder.close()
  }
}

/** The folder itself cannot be opened, for example because a network drive is not mounted. */
export class RootMissing extends Error {
  override readonly name = 'RootMissing'
}

async function openRoot(root: string): Promise<FileHandle> {
  try {
    return await open(root, O_RDONLY | O_DIRECTORY)
  } catch (error) {
    throw new RootMissing('The folder of the connection cannot be opened', { cause: error })
  }
}

const hasDescriptorPaths = process.platform === 'linux'

/** On Linux, a path through the open folder; elsewhere the plain path, which is verified after opening. */
const inside = (folder: FileHandle, path: string, segment: string): string =>
  hasDescriptorPaths ? `/proc/self/fd/${folder.fd}/${segment}` : path

async function openFile(
  path: string,
  within: { readonly root: string; readonly segments: readonly string[] },
): Promise<FileHandle> {
  // Opening a device may have effects, and opening a pipe would wait.
  if (!(await lstat(path)).isFile()) throw new NotPlainFile('Not a regular file')
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    const found = await file.stat()
    if (!found.isFile()) throw new NotPlainFile('Not a regular file')
    if (!hasDescriptorPaths) await verifyPlace(found, within)
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Verifies that the open file is the one at its place, with no symbolic link on the way. */
async function verifyPlace(
  found: { readonly dev: number; readonly ino: number },
  { root, segments }: { readonly root: string; readonly segments: readonly string[] },
): Promise<void> {
  const expected = join(await realpath(root), ...segments)
  const there = await stat(expected)
  const isThere = there.dev === found.dev && there.ino === found.ino && (await realpath(expected)) === expected
  if (!isThere) throw new NotPlainFile('The file is not below the folder of the connection')
}
