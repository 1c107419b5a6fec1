// Reads an uploaded skill: one top folder with the name in its SKILL.md.
import { unzipSync } from 'fflate'
import { parse } from 'yaml'
import { isObject } from '../../../core/value/tree.js'
import { refuse, type UploadedFile } from '../../emulator/contract.js'

export interface SkillPackage {
  readonly name: string
  readonly description: string
  /** Contents by path; paths include the top folder. */
  readonly files: ReadonlyMap<string, Uint8Array>
}

export function readPackage(uploads: readonly UploadedFile[]): SkillPackage {
  const files = new Map(uploads.flatMap(unpacked))
  const tops = new Set([...files.keys()].map((path) => path.split('/')[0] ?? ''))
  const [top = ''] = tops
  if (tops.size !== 1 || [...files.keys()].some((path) => !path.includes('/')))
    throw refuse('invalid', 'files: all files must be in one top-level folder')
  const manifest = files.get(`${top}/SKILL.md`)
  if (!manifest) throw refuse('invalid', 'files: SKILL.md must be at the root of the top-level folder')
  const { name, description } = frontMatter(Buffer.from(manifest).toString('utf8'))
  if (typeof name !== 'string' || name !== top)
    throw refuse('invalid', `files: the folder ${top} must have the name of SKILL.md, ${String(name)}`)
  return { name, description: typeof description === 'string' ? description : '', files }
}

function unpacked({ field, filename, bytes }: UploadedFile): [string, Uint8Array][] {
  if (field !== 'files[]' && field !== 'files') throw refuse('invalid', `${field}: unknown field`)
  if (!filename.endsWith('.zip') || filename.includes('/')) return [[filename, bytes]]
  try {
    return Object.entries(unzipSync(bytes)).filter(([path]) => !path.endsWith('/'))
  } catch {
    throw refuse('invalid', `files: ${filename} is not a zip archive`)
  }
}

function frontMatter(text: string): { readonly name?: unknown; readonly description?: unknown } {
  const [, between = ''] = text.split(/^---\s*$/m)
  try {
    const values: unknown = parse(between)
    return isObject(values) ? values : {}
  } catch {
    throw refuse('invalid', 'files: the front matter of SKILL.md is not YAML')
  }
}
