// Unpacks a skill's archive that a provider returned: a zip of regular files, none larger than the central directory
// declares.
import { inflateRawSync } from 'node:zlib'
import { sourceLimits } from '../../core/declaration/limits.js'
import { type Content, type ContentFile, ContentRefused, contentLimits } from '../../core/plugin/content.js'
import { manifest } from '../kinds/skill-manifest.js'
import { skillName } from './skill-package.js'

// Signatures of APPNOTE.TXT, 4.3: the central directory lists all entries and their offsets.
const endSignature = 0x06054b50
const endBytes = 22
const commentBytesMax = 0xffff
const entrySignature = 0x02014b50
const entryBytes = 46
const localSignature = 0x04034b50
const localBytes = 30
const wideMarker = 0xffffffff
const unixMaker = 3
const fileTypeBits = 0o170000
/** File types that count as a regular file: zero is written by programs that record no type. */
const plainTypes: ReadonlySet<number> = new Set([0, 0o100000])
const encryptedFlag = 1

/** First bytes of every zip file that has entries; a skill has at least one. */
export const archiveFirstBytes = 'PK'

interface Entry {
  readonly path: string
  readonly method: number
  readonly packedBytes: number
  readonly sizeBytes: number
  readonly offset: number
}

/** Returns the folder of a skill; a single top folder in the archive is removed from the paths. */
export function unzipSkill(archive: Uint8Array): Content {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength)
  const entries = entriesOf(bytes)
  const sizeBytes = entries.reduce((sum, entry) => sum + entry.sizeBytes, 0)
  if (sizeBytes > contentLimits.bytesMax)
    throw new ContentRefused(`its archive unpacks to more than ${contentLimits.bytesMax} bytes`)
  const files = unwrapped(entries.map((entry) => ({ path: entry.path, bytes: unpacked(bytes, entry) })))
  if (!files.some(({ path }) => path === manifest)) throw new ContentRefused(`its archive holds no ${manifest}`)
  const name = nameOf(files)
  return { files, ...(name === undefined ? {} : { name }) }
}

function nameOf(files: readonly ContentFile[]): string | undefined {
  try {
    return skillName({ baseName: 'the archive', files })
  } catch {
    return undefined // The archive was accepted when it was uploaded, so only its name is left out.
  }
}

function unwrapped(files: readonly ContentFile[]): readonly ContentFile[] {
  const top = files.find(({ path }) => path.split('/').length === 2 && path.endsWith(`/${manifest}`))?.path
  const prefix = top?.slice(0, -manifest.length)
  const isWrapped = prefix !== undefined && files.every(({ path }) => path.startsWith(prefix))
  return isWrapped ? files.map(({ path, bytes }) => ({ path: path.slice(prefix.length), bytes })) : files
}

/** Returns entries that are not folders. */
function entriesOf(bytes: Buffer): readonly Entry[] {
  const end = endOf(bytes)
  const count = bytes.readUInt16LE(end + 10)
  if (count > sourceLimits.filesMax * 2) throw new ContentRefused(`its archive has ${count} entries`)
  const entries: Entry[] = []
  let at = bytes.readUInt32LE(end + 16)
  for (let index = 0; index < count; index++) {
    if (at + entryBytes > bytes.length || bytes.readUInt32LE(at) !== entrySignature) throw broken()
    const nameBytes = bytes.readUInt16LE(at + 28)
    const path = bytes.toString('utf8', at + entryBytes, at + entryBytes + nameBytes)
    const quoted = JSON.stringify(path.slice(0, 255))
    const type = (bytes.readUInt32LE(at + 38) >>> 16) & fileTypeBits
    const isUnix = bytes.readUInt8(at + 5) === unixMaker
    if (!path.endsWith('/')) {
      if (isUnix && !plainTypes.has(type)) throw new ContentRefused(`${quoted} in its archive is a link or a device`)
      if ((bytes.readUInt16LE(at + 8) & encryptedFlag) !== 0)
        throw new ContentRefused(`${quoted} in its archive is encrypted`)
      entries.push({
        path,
        method: bytes.readUInt16LE(at + 10),
        packedBytes: bytes.readUInt32LE(at + 20),
        sizeBytes: bytes.readUInt32LE(at + 24),
        offset: bytes.readUInt32LE(at + 42),
      })
    }
    at += entryBytes + nameBytes + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return entries
}

/** Returns the offset of the last record, which only a comment may follow. */
function endOf(bytes: Buffer): number {
  for (let at = bytes.length - endBytes; at >= Math.max(0, bytes.length - endBytes - commentBytesMax); at--) {
    if (bytes.readUInt32LE(at) !== endSignature) continue
    if (bytes.readUInt32LE(at + 16) === wideMarker) throw new ContentRefused('its archive is a zip64')
    return at
  }
  throw broken()
}

/** Unpacks at most as many bytes as the entry declares; more are refused. */
function unpacked(bytes: Buffer, { path, method, packedBytes, sizeBytes, offset }: Entry): Uint8Array {
  if (offset + localBytes > bytes.length || bytes.readUInt32LE(offset) !== localSignature) throw broken()
  const start = offset + localBytes + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28)
  const packed = bytes.subarray(start, start + packedBytes)
  const content = inflated(packed, { path, method, sizeBytes })
  if (content.length !== sizeBytes || packed.length !== packedBytes) throw broken()
  return content
}

function inflated(packed: Buffer, { path, method, sizeBytes }: Pick<Entry, 'path' | 'method' | 'sizeBytes'>): Buffer {
  if (method === 0) return packed
  if (method !== 8) throw new ContentRefused(`${JSON.stringify(path)} in its archive is packed in an unknown way`)
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, sizeBytes) })
  } catch (error) {
    throw broken(error)
  }
}

function broken(cause?: unknown): ContentRefused {
  return new ContentRefused('its archive is no whole zip archive', { cause })
}
