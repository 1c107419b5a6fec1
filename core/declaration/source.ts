// Reads the text of agents.yaml, and refuses files that cannot be parsed or would be expensive to parse.
import { createHash } from 'node:crypto'
import { dirname, isAbsolute, relative, resolve } from 'node:path'
import { Problem } from '../diagnostic.js'
import { type Disk, hasCode } from '../ports/disk.js'
import { declarationLimits } from './limits.js'
import { type ProblemCode, problems } from './problems.js'

export interface SourceFile {
  /** Absolute path of the file. */
  readonly file: string
  /** Absolute path of its folder. */
  readonly folder: string
  /** Path for messages, relative to the working folder if that is shorter. */
  readonly shownAs: string
  readonly text: string
  readonly sha256: string
}

/** Throws a `Problem` when there is no text worth parsing. */
export async function readSource(disk: Disk, path: string, workingFolder: string): Promise<SourceFile> {
  const file = isAbsolute(path) ? path : resolve(workingFolder, path)
  const shownAs = shown(file, workingFolder)
  const bytes = await readBytes(disk, file, shownAs)
  const text = decode(bytes)
  if (text === undefined) throw refusal('declaration.not-utf8', `${shownAs} holds bytes that are not UTF-8.`)
  if (text.trim() === '') throw refusal('declaration.file-empty', `${shownAs} holds nothing.`)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { file, folder: dirname(file), shownAs, text, sha256 }
}

/** Decodes UTF-8 without a byte order mark. Returns undefined for other bytes. */
export function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

async function readBytes(disk: Disk, file: string, shownAs: string): Promise<Uint8Array> {
  const limit = declarationLimits.fileBytesMax
  try {
    const status = await disk.status(file)
    if (status === null) throw refusal('declaration.file-missing', `There is no ${shownAs}.`)
    if (status.kind !== 'file') throw refusal('declaration.file-unreadable', `${shownAs} is not a regular file.`)
    if (status.sizeBytes > limit) throw tooLarge(shownAs, status.sizeBytes)
    const bytes = await disk.read(file)
    if (bytes.length > limit) throw tooLarge(shownAs, bytes.length)
    return bytes
  } catch (error) {
    if (!hasCode(error, 'EACCES', 'EPERM', 'ELOOP', 'ENAMETOOLONG', 'EIO')) throw error
    throw refusal('declaration.file-unreadable', `${shownAs}: ${error instanceof Error ? error.message : ''}.`)
  }
}

function tooLarge(shownAs: string, sizeBytes: number): Problem {
  const limit = declarationLimits.fileBytesMax
  return refusal('declaration.file-too-large', `${shownAs} has ${sizeBytes} bytes; the limit is ${limit}.`)
}

function refusal(code: ProblemCode, detail: string): Problem {
  return new Problem({ code, ...problems[code], detail })
}

/** Returns the path for messages, relative to the working folder if that is shorter. */
export function shown(file: string, workingFolder: string): string {
  const short = relative(workingFolder, file)
  return short !== '' && short.length < file.length ? short : file
}
