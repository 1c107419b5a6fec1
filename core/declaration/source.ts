// Reads the text of agents.yaml, and refuses files that cannot be parsed or would be expensive to parse.
import { createHash } from 'node:crypto'
import { dirname, isAbsolute, relative, resolve } from 'node:path'
import { Problem } from '../diagnostic.js'
import { type Disk, hasCode } from '../ports/disk.js'
import { shellWord } from '../value/shell-word.js'
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
  const shownAs = shownPath(file, workingFolder)
  const bytes = await readBytes(disk, file, shownAs)
  const text = decode(bytes)
  if (text === undefined) throw refusal('declaration.not-utf8', `${shownAs} contains bytes that are not UTF-8.`)
  if (text.trim() === '') throw refusal('declaration.file-empty', `${shownAs} is empty.`)
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
    if (status === null) throw await missing(disk, file, shownAs)
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

/** Names the file with the other ending, if there is one: `agents init` would begin a second project beside it. */
async function missing(disk: Disk, file: string, shownAs: string): Promise<Problem> {
  const otherwise = (path: string) => path.replace(/\.ya?ml$/, (ending) => (ending === '.yml' ? '.yaml' : '.yml'))
  const detail = `There is no ${shownAs}.`
  if (otherwise(file) === file || (await disk.status(otherwise(file))) === null)
    return refusal('declaration.file-missing', detail)
  const other = otherwise(shownAs)
  const fix = `Name it with --config ${shellWord(other)}, or rename it together with its state, if it has one.`
  return refusal('declaration.file-missing', `${detail} ${other} is there.`, fix)
}

function refusal(code: ProblemCode, detail: string, fix?: string): Problem {
  return new Problem({ code, ...problems[code], detail, ...(fix === undefined ? {} : { fix }) })
}

/** Returns the path for messages, relative to the working folder if that is shorter. */
export function shownPath(file: string, workingFolder: string): string {
  const short = relative(workingFolder, file)
  return short !== '' && short.length < file.length ? short : file
}
