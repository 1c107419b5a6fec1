// Compares what the strict reader says about a file with what qpdf says.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { NotStrict, type StrictDocument, type StrictRevision } from '../../../workers/strict-reader/strict-document.js'
import type { StrictValue } from '../../../workers/strict-reader/values.js'

export interface QpdfObjects {
  /** False if qpdf warned. */
  readonly isClean: boolean
  readonly objects: Readonly<Record<string, unknown>>
}

/** Returns every object as qpdf reads it; undefined if it cannot. */
export function qpdfObjects(path: string, password = ''): QpdfObjects | undefined {
  const { status, stdout } = spawnSync(
    'qpdf',
    // Decoding nothing keeps the data of streams as the file has them, decrypted.
    ['--json=2', '--json-key=qpdf', '--json-stream-data=inline', '--decode-level=none', `--password=${password}`, path],
    { maxBuffer: 512 * 1024 * 1024 },
  )
  if (status !== 0 && status !== 3) return undefined
  const { qpdf } = JSON.parse(asJson(stdout.toString())) as { qpdf: [unknown, Record<string, unknown>] }
  return { isClean: status === 0, objects: qpdf[1] }
}

/** qpdf prints numbers as the file has them: `4.`, `-.5`, `+1`. */
const asJson = (text: string): string =>
  text.replace(
    /(^\s*|": )([+-]?)(\d*)(\.?)(\d*)(,?)$/gm,
    (whole, before: string, sign: string, integer: string, point: string, fraction: string, after: string) =>
      integer === '' && fraction === ''
        ? whole
        : `${before}${sign === '-' ? '-' : ''}${Number(integer)}${point}${point === '' || fraction !== '' ? fraction : '0'}${after}`,
  )

/**
 * Returns the objects of a revision on which the two disagree, and the number on which they agree. An object that the
 * reader refuses counts as neither.
 */
export function disagreements(document: StrictDocument, revision: StrictRevision, { objects }: QpdfObjects) {
  const differing: string[] = []
  let agreed = 0
  for (const [key, theirs] of Object.entries(objects)) {
    const [, number, generation] = /^obj:(\d+) (\d+) R$/.exec(key) ?? []
    if (number === undefined) continue
    try {
      // qpdf takes the generation of the object itself; where the entry has another one, the object must be refused.
      const entry = revision.generationOf(Number(number)) ?? Number(generation)
      const ours = revision.object({ number: Number(number), generation: entry })
      if (isLike(ours, (theirs as { value?: unknown }).value, theirs, document)) agreed++
      else differing.push(`${key}: ${brief(ours)} is not ${brief(theirs)}`)
    } catch (error) {
      if (!(error instanceof NotStrict)) throw error
    }
  }
  return { agreed, differing }
}

const brief = (value: unknown): string =>
  JSON.stringify(value, (_, item) => (item instanceof Map ? Object.fromEntries(item) : item)).slice(0, 200)

function isLike(ours: StrictValue, theirs: unknown, whole: unknown, document: StrictDocument): boolean {
  if (typeof ours === 'object' && ours !== null && ours.kind === 'stream') {
    const stream = (whole as { stream?: { dict: unknown; data?: string } }).stream
    if (stream === undefined || !isSameValue({ ...ours.dictionary }, stream.dict, true)) return false
    const type = ours.dictionary.entries.get('Type')
    // qpdf leaves out the data of streams that hold the structure.
    if (typeof type === 'object' && type?.kind === 'name' && ['XRef', 'ObjStm'].includes(type.name)) return true
    return stream.data === undefined || digest(document.rawBytes(ours)) === digest(Buffer.from(stream.data, 'base64'))
  }
  return isSameValue(ours, theirs ?? null)
}

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

function isSameValue(ours: StrictValue, theirs: unknown, isStream = false): boolean {
  if (typeof ours !== 'object' || ours === null) return ours === theirs || Number(ours) === Number(theirs)
  if (ours.kind === 'reference') return theirs === null || theirs === `${ours.number} ${ours.generation} R`
  if (ours.kind === 'name') return isSameName(ours.name, String(theirs))
  if (ours.kind === 'string') return isSameString(Buffer.from(ours.bytes), String(theirs))
  if (ours.kind === 'array') {
    return (
      Array.isArray(theirs) &&
      ours.items.length === theirs.length &&
      ours.items.every((item, index) => isSameValue(item, theirs[index]))
    )
  }
  if (ours.kind !== 'dictionary' || typeof theirs !== 'object' || theirs === null) return false
  // Entries with the value null count as missing; qpdf states the length of the data, not the value in the file.
  const their = Object.entries(theirs).filter(([key, value]) => value !== null && !(isStream && key === '/Length'))
  const own = [...ours.entries].filter(([key, value]) => value !== null && !(isStream && key === 'Length'))
  const isThere = (value: StrictValue) => !(typeof value === 'object' && value?.kind === 'reference')
  return (
    their.every(([key, value]) => own.some(([name, entry]) => isSameName(name, key) && isSameValue(entry, value))) &&
    own.filter(([, value]) => isThere(value)).length <= their.length
  )
}

const isSameName = (ours: string, theirs: string): boolean =>
  theirs === `/${ours}` || theirs === `/${Buffer.from(ours, 'latin1').toString()}` || theirs.startsWith('n:')

function isSameString(ours: Buffer, theirs: string): boolean {
  if (theirs.startsWith('b:')) return ours.toString('hex') === theirs.slice(2)
  const text = theirs.slice(2)
  // Half a character at the end has no text; qpdf makes some.
  if (ours[0] === 0xfe && ours[1] === 0xff && ours.length % 2 === 1) return true
  if (ours[0] === 0xfe && ours[1] === 0xff && ours.length % 2 === 0)
    return Buffer.from(ours.subarray(2)).swap16().toString('utf16le') === text
  if (ours[0] === 0xef && ours[1] === 0xbb) return ours.subarray(3).toString() === text
  // PDFDocEncoding is Latin 1 but for a few characters.
  return ours.length === [...text].length && [...text].every((character, at) => isSameCharacter(character, ours[at]))
}

const isSameCharacter = (character: string, code = 0): boolean => {
  const special = (code >= 0x18 && code <= 0x1f) || (code >= 0x7f && code <= 0xa0)
  return special || character.charCodeAt(0) === code
}
