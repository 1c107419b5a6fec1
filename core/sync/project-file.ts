// agents.yaml and the texts it names as files: what they would be with other texts, and replacing them so that no crash
// leaves half of one.

import { dirname } from 'node:path'
import type { Disk } from '../ports/disk.js'
import type { Random } from '../ports/random.js'
import { problem } from '../problems/index.js'

const modeDefault = 0o644

/** The disk as it would be if these files said this. */
export function diskWith(disk: Disk, texts: ReadonlyMap<string, string>): Disk {
  const held = new Map([...texts].map(([path, text]) => [path, new TextEncoder().encode(text)]))
  return {
    read: async (path) => held.get(path) ?? disk.read(path),
    async status(path) {
      const bytes = held.get(path)
      return bytes ? { kind: 'file', sizeBytes: bytes.length } : disk.status(path)
    },
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
  /** Absolute. */
  readonly path: string
  /** What the file must still say: an edit made meanwhile is not lost. */
  readonly before: string
  readonly after: string
}

interface Replaced {
  readonly path: string
  readonly temporary: string
  readonly mode: number
}

/**
 * Replaces all files or none; each is whole at any moment. Symbolic links are followed to what they stand for, and
 * permissions kept. The last one is replaced last, so that it never names what is not there yet.
 */
export async function replaceFiles(
  { disk, random }: { readonly disk: Disk; readonly random: Random },
  replacements: readonly Replacement[],
): Promise<void> {
  const waiting: Replaced[] = []
  const done: (Replaced & { readonly before: string })[] = []
  try {
    for (const { path, before, after } of replacements) {
      const real = await disk.realPath(path)
      if ((await readProjectFile(disk, real)) !== before) throw changedMeanwhile(path)
      const mode = (await disk.status(real))?.mode ?? modeDefault
      const temporary = `${real}~${random.uuid()}`
      waiting.push({ path: real, temporary, mode })
      await disk.write(temporary, new TextEncoder().encode(after), { mode })
    }
    for (const [index, one] of waiting.entries()) {
      await disk.rename(one.temporary, one.path)
      done.push({ ...one, before: replacements[index]?.before ?? '' })
    }
  } catch (error) {
    // The first failure is the one to tell.
    await Promise.allSettled(waiting.map(({ temporary }) => disk.remove(temporary)))
    await Promise.allSettled(
      done.map(({ path, before, mode }) => disk.write(path, new TextEncoder().encode(before), { mode })),
    )
    throw error
  }
  for (const folder of new Set(done.map(({ path }) => dirname(path)))) await disk.flushFolder(folder)
}

export function changedMeanwhile(file: string) {
  return problem('sync.file-changed', {
    detail: `Somebody edited ${file} while this command worked on it, so everything was left as it is.`,
  })
}
