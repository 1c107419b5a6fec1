// Reads uploaded skill packages: one archive, or one form part for each file. All files are below one folder, whose
// name is in SKILL.md.
import { createHash } from 'node:crypto'
import { unzipSync } from 'fflate'
import { refuse, type UploadedFile } from '../../emulator/contract.js'

const bytesMax = 50 * 1024 * 1024

export interface SkillPackage {
  readonly name: string
  readonly description: string
  readonly sizeBytes: number
  readonly sha256: string
}

/** Reads an uploaded package. If `isOldForm`, SKILL.md may be at the root; the missing folder is then added. */
export function readPackage(
  uploads: readonly UploadedFile[],
  { isOldForm = false }: { readonly isOldForm?: boolean } = {},
): SkillPackage {
  const sent = entriesOf(uploads)
  const root = isOldForm ? sent.get('SKILL.md') : undefined
  const files = root ? belowFolder(sent, frontMatter(Buffer.from(root).toString('utf8')).name) : sent
  const sizeBytes = [...files.values()].reduce((sum, { length }) => sum + length, 0)
  if (sizeBytes > bytesMax) throw refuse('invalid', 'files: a package has at most 50 MB', { param: 'files' })
  const tops = new Set([...files.keys()].map((path) => path.split('/')[0] ?? ''))
  const [top = ''] = tops
  const manifest = files.get(`${top}/SKILL.md`)
  if (tops.size !== 1 || !manifest)
    throw refuse('invalid', 'files: every entry must be below one folder that holds SKILL.md', { param: 'files' })
  const { name, description } = frontMatter(Buffer.from(manifest).toString('utf8'))
  if (name !== top)
    throw refuse('invalid', `files: the folder "${top}" must be named "${name}", as SKILL.md says`, { param: 'files' })
  const hash = createHash('sha256')
  for (const path of [...files.keys()].sort()) hash.update(`${path}\n`).update(files.get(path) ?? new Uint8Array())
  return { name, description, sizeBytes, sha256: hash.digest('hex') }
}

function belowFolder(files: ReadonlyMap<string, Uint8Array>, folder: string): ReadonlyMap<string, Uint8Array> {
  return new Map([...files].map(([path, bytes]) => [`${folder}/${path}`, bytes]))
}

function entriesOf(uploads: readonly UploadedFile[]): ReadonlyMap<string, Uint8Array> {
  const [first] = uploads
  if (!first) throw refuse('invalid', 'files: field required', { param: 'files' })
  if (uploads.length > 1 || !first.filename.endsWith('.zip'))
    return new Map(uploads.map(({ filename, bytes }) => [filename, bytes]))
  try {
    return new Map(Object.entries(unzipSync(first.bytes)).filter(([path]) => !path.endsWith('/')))
  } catch {
    throw refuse('invalid', 'files: not a zip archive', { param: 'files' })
  }
}

function frontMatter(text: string): { readonly name: string; readonly description: string } {
  const head = /^---\r?\n([\s\S]*?)\r?\n---/.exec(text)?.[1] ?? ''
  const value = (key: string) =>
    (new RegExp(`^${key}:[ \\t]*(.*)$`, 'm').exec(head)?.[1] ?? '').trim().replaceAll(/^(["'])(.*)\1$/g, '$2')
  const name = value('name')
  if (name === '') throw refuse('invalid', 'files: SKILL.md has no name', { param: 'files' })
  return { name, description: value('description') }
}
