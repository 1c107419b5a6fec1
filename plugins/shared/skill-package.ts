// Packs a skill's folder for upload: loose files below a folder, or one zip archive.
import { zipSync } from 'fflate'
import { parse } from 'yaml'
import { fromTable, Problem } from '../../core/diagnostic.js'
import type { SourceContent } from '../../core/plugin/handler.js'
import { isObject } from '../../core/value/tree.js'
import { skillProblems } from './problems.js'

export interface PackageFile {
  /** Path of the file, with `/` between names. */
  readonly path: string
  readonly bytes: Uint8Array
}

export const manifest = 'SKILL.md'
const frontMatter = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/

/** Time stamp of all entries, fixed so that equal folders give equal archives. Zip stores local time from 1980 on. */
const fixedTime = new Date(1980, 0, 1)

/** Returns the `name` in the front matter of SKILL.md. Throws a `Problem` if it is missing or cannot name a folder. */
export function skillName(content: SourceContent): string {
  const file = content.files.find(({ path }) => path === manifest)
  if (!file) throw refused(`The folder ${content.baseName} has no ${manifest}.`)
  const match = frontMatter.exec(Buffer.from(file.bytes).toString('utf8'))
  if (!match)
    throw refused(`${manifest} in ${content.baseName} does not begin with front matter between two lines of ---.`)
  const name = nameIn(match[1] ?? '', content)
  if (typeof name !== 'string' || !/^[^\s/\\]+$/.test(name) || name === '.' || name === '..')
    throw refused(
      `The front matter of ${manifest} in ${content.baseName} has no name that could be the name of a folder.`,
    )
  return name
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

function nameIn(text: string, content: SourceContent): unknown {
  try {
    const values: unknown = parse(text)
    return isObject(values) ? values['name'] : undefined
  } catch (error) {
    throw refused(`The front matter of ${manifest} in ${content.baseName} is not YAML.`, error)
  }
}

const { problem } = fromTable<keyof typeof skillProblems>(skillProblems)

function refused(detail: string, cause?: unknown) {
  return problem('skill.no-name', {
    detail,
    cause,
  })
}
