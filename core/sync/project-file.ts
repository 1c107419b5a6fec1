// agents.yaml as a file: what it would be with another text, and replacing it so that no crash leaves half of one.

import { dirname } from 'node:path'
import type { Disk } from '../ports/disk.js'
import type { Random } from '../ports/random.js'
import { problem } from '../problems/index.js'

const modeDefault = 0o644

/** The disk as it would be if the file said this. */
export function diskWith(disk: Disk, file: string, text: string): Disk {
  const bytes = new TextEncoder().encode(text)
  return {
    read: (path) => (path === file ? Promise.resolve(bytes) : disk.read(path)),
    status: async (path) => (path === file ? { kind: 'file', sizeBytes: bytes.length } : disk.status(path)),
    realPath: (path) => disk.realPath(path),
    list: (path) => disk.list(path),
    write: (path, written, options) => disk.write(path, written, options),
    create: (path, written, options) => disk.create(path, written, options),
    append: (path, options) => disk.append(path, options),
    rename: (from, to) => disk.rename(from, to),
    remove: (path) => disk.remove(path),
    createFolder: (path) => disk.createFolder(path),
    flushFolder: (path) => disk.flushFolder(path),
  }
}

export async function readProjectFile(disk: Disk, file: string): Promise<string> {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await disk.read(file))
}

export interface Replacement {
  /** What the file must still say: an edit made meanwhile is not lost. */
  readonly before: string
  readonly after: string
}

/** Follows a symbolic link to what it stands for, and keeps the permissions. */
export async function replaceProjectFile(
  { disk, random }: { readonly disk: Disk; readonly random: Random },
  file: string,
  { before, after }: Replacement,
): Promise<void> {
  const real = await disk.realPath(file)
  if ((await readProjectFile(disk, real)) !== before) throw changedMeanwhile(file)
  const mode = (await disk.status(real))?.mode ?? modeDefault
  const temporary = `${real}~${random.uuid()}`
  try {
    await disk.write(temporary, new TextEncoder().encode(after), { mode })
    await disk.rename(temporary, real)
  } catch (error) {
    await Promise.allSettled([disk.remove(temporary)]) // The first failure is the one to tell.
    throw error
  }
  await disk.flushFolder(dirname(real))
}

function changedMeanwhile(file: string) {
  return problem('sync.file-changed', {
    detail: `Somebody edited ${file} while this command worked on it, so it was left as it is.`,
  })
}
