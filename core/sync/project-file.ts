// agents.yaml and the text files that it refers to: a view of the disk with other texts, and crash-safe replacement.

import { dirname, sep } from 'node:path'
import type { Disk } from '../ports/disk.js'
import type { Random } from '../ports/random.js'
import { problem } from '../problems/index.js'

const modeDefault = 0o644

/**
 * Returns a disk on which these files have these texts. Nothing else is visible below the folders. All paths are
 * absolute.
 */
export function diskWith(
  disk: Disk,
  contents: ReadonlyMap<string, string | Uint8Array>,
  folders: readonly string[] = [],
): Disk {
  const current = new Map([...contents].map(([path, content]) => [path, bytesOf(content)]))
  const isReplaced = (path: string) => folders.some((folder) => path === folder || path.startsWith(folder + sep))
  const namesBelow = (path: string) => {
    const inside = [...current.keys()].filter((other) => other.startsWith(path + sep))
    return [...new Set(inside.map((other) => other.slice(path.length + 1).split(sep)[0] ?? ''))].sort()
  }
  return {
    read: async (path) => current.get(path) ?? disk.read(path),
    async status(path) {
      const bytes = current.get(path)
      if (bytes) return { kind: 'file', sizeBytes: bytes.length }
      if (!isReplaced(path)) return disk.status(path)
      return namesBelow(path).length > 0 ? { kind: 'folder', sizeBytes: 0 } : null
    },
    realPath: async (path) => (isReplaced(path) ? path : disk.realPath(path)),
    linkTarget: (path) => disk.linkTarget(path),
    list: async (path) => (isReplaced(path) ? namesBelow(path) : disk.list(path)),
    write: (path, written, options) => disk.write(path, written, options),
    create: (path, written, options) => disk.create(path, written, options),
    append: (path, options) => disk.append(path, options),
    rename: (from, to) => disk.rename(from, to),
    remove: (path) => disk.remove(path),
    createFolder: (path) => disk.createFolder(path),
    flushFolder: (path) => disk.flushFolder(path),
  }
}

function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? new TextEncoder().encode(content) : content
}

export async function readProjectFile(disk: Disk, file: string): Promise<string> {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await disk.read(file))
}

export interface Replacement {
  /** Absolute path of the file. */
  readonly path: string
  /** Current text that is expected, so that a concurrent edit is not lost. Undefined: the file must not exist. */
  readonly before: string | Uint8Array | undefined
  /** New text. Undefined: the file is removed. */
  readonly after: string | Uint8Array | undefined
  /** Path from which the folder and name of temporary files derive. Default: the file itself. */
  readonly aside?: string
}

interface ReplacedFile {
  readonly path: string
  readonly temporary: string
  readonly mode: number
  readonly before: Uint8Array | undefined
  readonly after: Uint8Array | undefined
}

/**
 * Replaces all files or none; each is complete at any moment. Symbolic links are followed, and permissions stay the
 * same. The last file is replaced last, so that it never names a file that does not exist yet.
 */
export async function replaceFiles(
  { disk, random }: { readonly disk: Disk; readonly random: Random },
  replacements: readonly Replacement[],
): Promise<void> {
  const waiting: ReplacedFile[] = []
  const done: ReplacedFile[] = []
  try {
    for (const replacement of replacements) {
      const one = await prepared(disk, replacement, random.uuid())
      waiting.push(one)
      if (one.after === undefined) continue
      if (replacement.aside !== undefined) await disk.createFolder(dirname(one.temporary))
      await disk.write(one.temporary, one.after, { mode: one.mode })
    }
    for (const [index, one] of waiting.entries()) {
      // The files that the last one names must be durable before it is replaced.
      if (index > 0 && index === waiting.length - 1) await flush(disk, done)
      if (one.before === undefined) await disk.createFolder(dirname(one.path))
      if (one.after === undefined) await disk.remove(one.path)
      else await disk.rename(one.temporary, one.path)
      done.push(one)
    }
  } catch (error) {
    // Only the first failure is reported.
    await Promise.allSettled(waiting.map(({ temporary }) => disk.remove(temporary)))
    await Promise.allSettled(
      done.map(({ path, before, mode }) => (before ? disk.write(path, before, { mode }) : disk.remove(path))),
    )
    throw error
  }
  await flush(disk, done)
}

async function flush(disk: Disk, done: readonly ReplacedFile[]): Promise<void> {
  for (const folder of new Set(done.flatMap(foldersOf))) await disk.flushFolder(folder)
}

/** Returns the folders whose entries have changed; a new file may need new folders. */
function foldersOf({ path, temporary, before }: ReplacedFile): readonly string[] {
  if (before !== undefined) return [dirname(path), dirname(temporary)]
  const top = dirname(dirname(temporary))
  const folders = [dirname(path)]
  for (let folder = dirname(path); folder !== top && folder !== dirname(folder); ) {
    folder = dirname(folder)
    folders.push(folder)
  }
  return folders
}

async function prepared(disk: Disk, { path, before, after, aside }: Replacement, uuid: string): Promise<ReplacedFile> {
  const bytes = {
    before: before === undefined ? before : bytesOf(before),
    after: after === undefined ? after : bytesOf(after),
  }
  if (bytes.before === undefined) {
    if ((await disk.status(path)) !== null) throw changedMeanwhile(path)
    return { ...bytes, path, temporary: `${aside ?? path}~${uuid}`, mode: modeDefault }
  }
  const real = await disk.realPath(path)
  if (Buffer.compare(await disk.read(real), bytes.before) !== 0) throw changedMeanwhile(path)
  const mode = (await disk.status(real))?.mode ?? modeDefault
  return { ...bytes, path: real, temporary: `${aside ?? real}~${uuid}`, mode }
}

export function changedMeanwhile(file: string) {
  return problem('sync.file-changed', {
    detail: `Somebody edited ${file} while this command worked on it, so everything was left as it is.`,
  })
}
