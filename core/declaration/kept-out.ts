// Excludes files from the upload of their folder: files that git ignores, secrets, files of the project, and saved
// plans.
import { basename, dirname, join, relative, sep } from 'node:path'
import type { Ignore } from 'ignore'
import type { Disk } from '../ports/disk.js'

/** Place of the project file: the file, and the files that a run writes beside it, are never uploaded. */
export interface ProjectPlace {
  /** Absolute path of the project file. */
  readonly file: string
  /** Absolute path of the folder. */
  readonly folder: string
}

/** Names that are excluded from every upload, because their content differs between machines for no reason. */
export const ignoredNames: ReadonlySet<string> = new Set(['.git', '.DS_Store', 'Thumbs.db'])

/** Value of `format`, the first member of saved plans. */
export const planFormat = 'agents-plan'
const planStart = new RegExp(`^\\s*\\{\\s*"format"\\s*:\\s*"${planFormat}"`)
const planStartBytes = 100

/** True for a file of `agents plan --out`, which may have any name and is never uploaded with a folder. */
export function isSavedPlan(bytes: Uint8Array): boolean {
  return planStart.test(Buffer.from(bytes.subarray(0, planStartBytes)).toString('latin1'))
}

/** Matches `.env`, `.env.production` and `.envrc`, but not the example files that people share. */
const secretName = /^\.env(?!.*\.(example|sample|template)$)/i
const stateName = /\.state\.(json|journal|lock|backup|temporary)$/
const rulesName = '.gitignore'
const rulesBytesMax = 1024 * 1024

/**
 * True for a file that is never uploaded, even if it is named: a secret, the project file, or a file that runs write
 * beside it.
 */
export function isPrivate(path: string, place: ProjectPlace): boolean {
  const name = basename(path)
  if (secretName.test(name) || path === place.file) return true
  return dirname(path) === place.folder && (name === 'agents.yaml' || stateName.test(name))
}

interface Rules {
  /** Folder of the ignore file, to which its patterns are relative. */
  readonly folder: string
  readonly matcher: Ignore
}

export class KeptOut {
  private constructor(
    private readonly disk: Disk,
    private readonly place: ProjectPlace,
    private readonly outer: readonly Rules[],
  ) {}

  /**
   * Reads the ignore rules for files below `root`. If the root itself is ignored, only the rules inside it apply,
   * because the user named it explicitly.
   */
  static async open(disk: Disk, place: ProjectPlace, root: string): Promise<KeptOut> {
    const outer: Rules[] = []
    for (const folder of await foldersAbove(disk, root)) {
      const rules = await readRules(disk, folder)
      if (rules) outer.push(rules)
    }
    return new KeptOut(disk, place, isIgnored(outer, root, true) ? [] : outer)
  }

  /** Returns the rules for entries of a folder, given those for the folder itself. */
  async within(folder: string, rules: readonly Rules[] = this.outer): Promise<readonly Rules[]> {
    const own = await readRules(this.disk, folder)
    return own ? [...rules, own] : rules
  }

  has(path: string, isFolder: boolean, rules: readonly Rules[]): boolean {
    const name = basename(path)
    if (ignoredNames.has(name) || isPrivate(path, this.place)) return true
    return isIgnored(rules, path, isFolder)
  }
}

export type { Rules }

/** True if the last rule that matches ignores the path; rules of inner folders come last. */
function isIgnored(rules: readonly Rules[], path: string, isFolder: boolean): boolean {
  let verdict = false
  for (const { folder, matcher } of rules) {
    const inner = relative(folder, path).split(sep).join('/')
    if (inner === '' || inner.startsWith('..')) continue
    const { ignored, unignored } = matcher.test(isFolder ? `${inner}/` : inner)
    if (ignored || unignored) verdict = ignored
  }
  return verdict
}

/** Returns the folders from the root of the repository down to the parent; none outside a repository. */
async function foldersAbove(disk: Disk, root: string): Promise<readonly string[]> {
  const folders: string[] = []
  for (let current = root; ; current = dirname(current)) {
    if (current !== root) folders.unshift(current)
    if ((await disk.status(join(current, '.git'))) !== null) return folders
    if (dirname(current) === current) return []
  }
}

async function readRules(disk: Disk, folder: string): Promise<Rules | undefined> {
  const path = join(folder, rulesName)
  const status = await disk.status(path)
  if (status?.kind !== 'file' || status.sizeBytes > rulesBytesMax) return undefined
  const { default: ignore } = await import('ignore')
  const text = new TextDecoder().decode(await disk.read(path))
  // git matches names case-sensitively if the disk does.
  return { folder, matcher: ignore({ ignorecase: false, allowRelativePaths: true }).add(text) }
}
