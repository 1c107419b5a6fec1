// agents.yaml and the text files that it refers to: a view of the disk with other texts, and crash-safe replacement.

import { dirname, sep } from 'node:path'
import type { Access, Disk } from '../ports/disk.js'
import type { Random } from '../ports/random.js'
import { problem } from '../problems/index.js'
import { isSameText, withLinesOf } from '../value/lines.js'

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
  /** True for a text whose byte order mark and ends of lines stay as they are in the file. */
  readonly keepsForm?: boolean
}

interface ReplacedFile {
  readonly path: string
  readonly temporary: string
  readonly access: Access
  /** True if the file has other names, which must lead to the new content too. */
  readonly hasOtherNames: boolean
  readonly before: Uint8Array | undefined
  readonly after: Uint8Array | undefined
}

/**
 * Replaces all files or none; each is complete at any moment, except that one with several hard links is written in
 * place. Symbolic links are followed; permissions, and where the system permits it the owner, stay the same. The last file is replaced last, so that it never names a file that does not exist yet.
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
      await disk.write(one.temporary, one.after, one.access)
    }
    for (const [index, one] of waiting.entries()) {
      // The files that the last one names must be durable before it is replaced.
      if (index > 0 && index === waiting.length - 1) await flush(disk, done)
      if (one.before === undefined) await disk.createFolder(dirname(one.path))
      if (one.after === undefined) await disk.remove(one.path)
      else if (one.hasOtherNames) {
        done.push(one) // A write that fails midway has changed the file.
        await disk.write(one.path, one.after, one.access)
        await disk.remove(one.temporary)
        continue
      } else await disk.rename(one.temporary, one.path)
      done.push(one)
    }
  } catch (error) {
    // Only the first failure is reported.
    await Promise.allSettled(waiting.map(({ temporary }) => disk.remove(temporary)))
    await Promise.allSettled(
      done.map(({ path, before, access }) => (before ? disk.write(path, before, access) : disk.remove(path))),
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

async function prepared(disk: Disk, replacement: Replacement, uuid: string): Promise<ReplacedFile> {
  const { path, before, after, aside } = replacement
  const bytes = after === undefined ? after : bytesOf(after)
  if (before === undefined) {
    if ((await disk.status(path)) !== null) throw changedMeanwhile(path)
    const temporary = `${aside ?? path}~${uuid}`
    return { path, temporary, access: { mode: modeDefault }, hasOtherNames: false, before, after: bytes }
  }
  const real = await disk.realPath(path)
  const current = await disk.read(real)
  const form = replacement.keepsForm ? formOf(current) : undefined
  const isExpected = form ? isSameText(form.text, before) : Buffer.compare(current, bytesOf(before)) === 0
  if (!isExpected) throw changedMeanwhile(path)
  const { mode, owner, names = 1 } = (await disk.status(real)) ?? {}
  return {
    path: real,
    temporary: `${aside ?? real}~${uuid}`,
    access: mode === undefined ? { mode: modeDefault } : { mode, isExact: true, ...(owner ? { owner } : {}) },
    hasOtherNames: names > 1,
    before: current,
    after: form && typeof after === 'string' ? form.inForm(after) : bytes,
  }
}

const byteOrderMark = '\ufeff'

/** Returns the text of a file, and what gives another text its byte order mark and ends of lines. */
function formOf(bytes: Uint8Array): { readonly text: string; inForm(text: string): Uint8Array } {
  const whole = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  const mark = whole.startsWith(byteOrderMark) ? byteOrderMark : ''
  const text = whole.slice(mark.length)
  return { text, inForm: (other) => bytesOf(mark + withLinesOf(text, other)) }
}

export function changedMeanwhile(file: string) {
  return problem('sync.file-changed', {
    detail: `Somebody edited ${file} while this command worked on it, so everything was left as it is.`,
  })
}
