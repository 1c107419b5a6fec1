// Checks content downloaded from providers before it is written to disk: sync writes only regular files, only inside
// the folder, and only what a project folder may contain.

import { ignoredNames } from '../declaration/kept-out.js'
import { sourceLimits } from '../declaration/limits.js'
import { folderDigest, sha256 } from '../declaration/local-sources.js'
import { type ContentFile, ContentRefused, contentLimits } from '../plugin/content.js'
import type { Call, Handler, Remote } from '../plugin/handler.js'

export interface DownloadedFile extends ContentFile {
  readonly sha256: string
}

export type Download =
  | {
      readonly type: 'content'
      readonly files: readonly DownloadedFile[]
      /** Digest of a local folder that has exactly these files. */
      readonly sha256: string
      readonly name?: string
    }
  | { readonly type: 'refused'; readonly reason: string }

/**
 * Downloads the content of an object. Returns undefined for kinds without content. Rejects with the failures of the
 * call.
 */
export async function downloaded(handler: Handler, call: Call<unknown>, remote: Remote): Promise<Download | undefined> {
  if (!handler.download) return undefined
  try {
    const { files, name } = await handler.download(call, remote)
    const contents = checkedFiles(files).map((file) => ({ ...file, sha256: sha256(file.bytes) }))
    return { type: 'content', files: contents, sha256: folderDigest(contents), ...(name === undefined ? {} : { name }) }
  } catch (error) {
    if (error instanceof ContentRefused) return { type: 'refused', reason: error.reason }
    throw error
  }
}

/** Checks paths and sizes. Names excluded from uploads (`.git`) are excluded from downloads too. */
function checkedFiles(files: readonly ContentFile[]): readonly ContentFile[] {
  const ignored = new Set([...ignoredNames].map((name) => name.toLowerCase()))
  const accepted: ContentFile[] = []
  const taken = new Set<string>()
  const folders = new Set<string>()
  let sizeBytes = 0
  for (const file of files) {
    const names = namesOf(file.path)
    if (names.some((name) => ignored.has(name.toLowerCase()))) continue
    sizeBytes += file.bytes.length
    if (accepted.length >= sourceLimits.filesMax)
      throw new ContentRefused(`it has more than ${sourceLimits.filesMax} files`)
    if (sizeBytes > contentLimits.bytesMax)
      throw new ContentRefused(`its files have more than ${contentLimits.bytesMax} bytes`)
    const key = keyOf(names)
    if (taken.has(key)) throw new ContentRefused(`it has two files named ${JSON.stringify(file.path)}`)
    taken.add(key)
    for (let depth = 1; depth < names.length; depth++) folders.add(keyOf(names.slice(0, depth)))
    accepted.push(file)
  }
  const both = [...folders].find((folder) => taken.has(folder))
  if (both !== undefined) throw new ContentRefused(`${JSON.stringify(both)} is both a file and a folder in it`)
  if (accepted.length === 0) throw new ContentRefused('it has no files')
  return accepted
}

/**
 * Returns the key under which names collide: some disks ignore case, or treat different Unicode forms of a name as
 * equal.
 */
export const keyOf = (names: readonly string[]) => names.join('/').normalize('NFC').toLowerCase()

const nameLengthMax = 255
const refusedCharacters = /[\u0000-\u001f\u007f\\:*?"<>|]/
/** Device names of Windows, reserved in every folder and with every extension. */
const deviceName = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

/** Returns the names of a path. Throws `ContentRefused` for one that leads out of its folder, or that not every disk can have. */
export function namesOf(path: string): readonly string[] {
  const names = path.split('/')
  const quoted = JSON.stringify(path.slice(0, nameLengthMax))
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) throw new ContentRefused(`it has the absolute path ${quoted}`)
  if (names.includes('..')) throw new ContentRefused(`it has the path ${quoted}, which leads out of the folder`)
  const isOdd = (name: string) =>
    name === '' ||
    name === '.' ||
    Buffer.byteLength(name) > nameLengthMax ||
    /[. ]$/.test(name) ||
    refusedCharacters.test(name) ||
    deviceName.test(name)
  if (names.some(isOdd)) throw new ContentRefused(`it has the path ${quoted}, which not every disk can have`)
  if (names.length > sourceLimits.depthMax)
    throw new ContentRefused(`it has folders more than ${sourceLimits.depthMax} deep`)
  return names
}
