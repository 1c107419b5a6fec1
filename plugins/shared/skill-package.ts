// Packs a skill's folder for upload: loose files below a folder, or one zip archive.
import { zipSync } from 'fflate'
import { fromTable, Problem } from '../../core/diagnostic.js'
import type { SourceContent } from '../../core/plugin/handler.js'
import { manifest, nameInManifest } from '../kinds/skill-manifest.js'
import { skillProblems } from './problems.js'

export interface PackageFile {
  /** Path of the file, with `/` between names. */
  readonly path: string
  readonly bytes: Uint8Array
}

/** Time stamp of all entries, fixed so that equal folders give equal archives. Zip stores local time from 1980 on. */
const fixedTime = new Date(1980, 0, 1)

/** Returns the `name` in the front matter of SKILL.md. Throws a `Problem` if it is missing or cannot name a folder. */
export function skillName({ baseName, files }: SourceContent): string {
  const file = files.find(({ path }) => path === manifest)
  if (!file) throw problem('skill.no-name', { detail: `The folder ${baseName} has no ${manifest}.` })
  const read = nameInManifest(Buffer.from(file.bytes).toString('utf8'), baseName)
  if ('fault' in read) throw problem('skill.no-name', { detail: read.fault })
  return read.name
}

/** True if SKILL.md contains this name. */
export function isNamed(content: SourceContent, name: string): boolean {
  try {
    return skillName(content) === name
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}

/** Returns every file below one top folder with the name in SKILL.md, as multipart uploads require. */
export function skillFiles(content: SourceContent): readonly PackageFile[] {
  const top = skillName(content)
  return content.files.map(({ path, bytes }) => ({ path: `${top}/${path}`, bytes }))
}

/** Returns a zip archive of the folder; `wrapped` adds a top folder with the name in SKILL.md. */
export function zipSkill(content: SourceContent, { wrapped = false }: { readonly wrapped?: boolean } = {}): Uint8Array {
  const files = wrapped ? skillFiles(content) : content.files
  return zipSync(Object.fromEntries(files.map(({ path, bytes }) => [path, bytes])), { mtime: fixedTime, level: 6 })
}

const { problem } = fromTable<keyof typeof skillProblems>(skillProblems)
