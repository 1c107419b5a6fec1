// Reads the local files and folders that declarations name: digests of what will be uploaded, texts of instructions.
// Each path is read once, however many declarations name it.
import { createHash } from 'node:crypto'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import type { LocalSource } from '../plugin/declaration.js'
import { type Disk, hasCode } from '../ports/disk.js'
import { withPlainLines } from '../value/lines.js'
import { closest } from '../value/suggestions.js'
import { filesBelow } from './files-below.js'
import { isPrivate, isSavedPlan, type ProjectPlace } from './kept-out.js'
import { declarationLimits, sourceLimits } from './limits.js'
import type { ProblemCode } from './problems.js'
import { decode } from './source.js'
import { SourceProblem } from './source-problem.js'
import type { NamedPath } from './text-reader.js'
import { hasRefusedCharacters } from './text-reader.js'

export type SourceResult =
  | { readonly type: 'read'; readonly source: LocalSource; readonly text?: string }
  | { readonly type: 'problem'; readonly code: ProblemCode; readonly detail: string; readonly fix?: string }

type WantedSource = Pick<NamedPath, 'written' | 'kind' | 'mustHold'>

const unpack = 'Unpack the archive, and name the folder that comes out of it.'

export async function readLocalSource(disk: Disk, place: ProjectPlace, wanted: WantedSource): Promise<SourceResult> {
  try {
    return { type: 'read', ...(await read(disk, place, wanted)) }
  } catch (error) {
    if (error instanceof SourceProblem) {
      const { code, message: detail, fix } = error
      return { type: 'problem', code, detail, ...(fix === undefined ? {} : { fix }) }
    }
    if (!hasCode(error, 'EACCES', 'EPERM', 'ELOOP', 'ENAMETOOLONG', 'EIO', 'ENOENT')) throw error
    return {
      type: 'problem',
      code: 'source.unreadable',
      detail: `${wanted.written}: ${error instanceof Error ? error.message : ''}.`,
    }
  }
}

interface ReadSource {
  readonly source: LocalSource
  readonly text?: string
}

async function read(disk: Disk, place: ProjectPlace, wanted: WantedSource): Promise<ReadSource> {
  const { written, kind } = wanted
  const path = resolve(place.folder, written)
  const status = await disk.status(path)
  if (status === null) throw await missing(disk, path, written)
  const expected = kind === 'folder' ? 'folder' : 'file'
  if (status.kind !== expected) {
    const article = status.kind === 'other' ? 'neither a file nor a folder' : `a ${status.kind}`
    const detail = `${written} is ${article}, and a ${expected} is needed here.`
    const isArchive = expected === 'folder' && /\.(zip|skill|tar|tgz|tar\.\w+)$/i.test(path)
    throw new SourceProblem('source.wrong-kind', detail, isArchive ? unpack : undefined)
  }
  const base = { written, path, baseName: basename(path) }
  if (kind === 'folder') return { source: { ...base, kind, ...(await readFolder(disk, path, place, wanted)) } }
  if (isPrivate(path, place)) throw isOurs(written)
  const limit = kind === 'text' ? declarationLimits.textBytesMax : sourceLimits.fileBytesMax
  if (status.sizeBytes > limit)
    throw new SourceProblem('source.too-large', `${written} has ${status.sizeBytes} bytes; the limit is ${limit}.`)
  const bytes = await disk.read(path)
  if (isSavedPlan(bytes)) throw isOurs(written)
  // The digest is of the text as it is sent, so that a plan made on Windows is the same elsewhere.
  const text = kind === 'text' ? withPlainLines(textOf(bytes, written)) : undefined
  const file = { sha256: sha256(text ?? bytes), sizeBytes: bytes.length }
  const source: LocalSource = { ...base, kind: 'file', ...file, files: [{ path: base.baseName, ...file }] }
  return text === undefined ? { source } : { source, text }
}

const isOurs = (written: string) =>
  new SourceProblem('source.private', `${written} contains secrets, or belongs to this project alone.`)

async function readFolder(
  disk: Disk,
  path: string,
  place: ProjectPlace,
  { written, mustHold }: WantedSource,
): Promise<Pick<LocalSource, 'sha256' | 'sizeBytes' | 'files' | 'held'>> {
  const files: LocalSource['files'][number][] = []
  let sizeBytes = 0
  let held: string | undefined
  for await (const { inner, full, status } of filesBelow(disk, path, { written, place })) {
    if (files.length >= sourceLimits.filesMax)
      throw new SourceProblem('source.too-large', `${written} holds more than ${sourceLimits.filesMax} files.`)
    if (sizeBytes + status.sizeBytes > sourceLimits.folderBytesMax)
      throw new SourceProblem(
        'source.too-large',
        `The files below ${written} have more than ${sourceLimits.folderBytesMax} bytes.`,
      )
    const stored = await disk.read(full)
    if (isSavedPlan(stored)) continue
    // Providers do not find what the text says behind a mark.
    const bytes = inner === mustHold ? withoutByteOrderMark(stored) : stored
    if (inner === mustHold) held = Buffer.from(bytes).toString('utf8')
    sizeBytes += bytes.length
    const hasByteOrderMark = bytes.length < stored.length
    files.push({
      path: inner,
      sha256: sha256(bytes),
      sizeBytes: bytes.length,
      ...(hasByteOrderMark ? { hasByteOrderMark } : {}),
    })
  }
  if (mustHold !== undefined && held === undefined)
    throw new SourceProblem('source.incomplete', `${written} holds no ${mustHold}.`)
  return { sha256: folderDigest(files), sizeBytes, files: inOrder(files), ...(held === undefined ? {} : { held }) }
}

const byteOrderMark = [0xef, 0xbb, 0xbf]

/** Returns UTF-8 text without the byte order mark that editors on Windows put before it. */
export function withoutByteOrderMark(text: Uint8Array): Uint8Array {
  return byteOrderMark.every((byte, index) => text[index] === byte) ? text.subarray(byteOrderMark.length) : text
}

type FileDigest = Pick<LocalSource['files'][number], 'path' | 'sha256'>

/** Returns one digest for all files of a folder. */
export function folderDigest(files: readonly FileDigest[]): string {
  return sha256(
    inOrder(files)
      .map((file) => `${file.sha256}  ${file.path}\n`)
      .join(''),
  )
}

function inOrder<File extends FileDigest>(files: readonly File[]): readonly File[] {
  return [...files].sort((a, b) => (a.path < b.path ? -1 : 1))
}

async function missing(disk: Disk, path: string, written: string): Promise<SourceProblem> {
  // The first part of the path that does not exist is the one that is reported.
  let [lost, parent, shown] = [basename(path), dirname(path), written]
  while ((await disk.status(parent)) === null && parent !== dirname(parent))
    [lost, parent, shown] = [basename(parent), dirname(parent), dirname(shown)]
  const siblings = (await disk.status(parent))?.kind === 'folder' ? await disk.list(parent) : []
  const found = closest(lost, siblings)
  const rest = written.slice(shown.length)
  const suggestion = found === undefined ? '' : ` Did you mean ${join(dirname(shown), found)}${rest}?`
  return new SourceProblem(
    'source.missing',
    `There is no ${written}${isAbsolute(written) ? '' : ' beside agents.yaml'}.${suggestion}`,
  )
}

function textOf(bytes: Uint8Array, written: string): string {
  const text = decode(bytes)
  if (text !== undefined && !hasRefusedCharacters(text)) return text
  const fault = text === undefined ? 'bytes that are not UTF-8' : 'control characters'
  throw new SourceProblem('source.not-text', `${written} holds ${fault}.`)
}

export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
