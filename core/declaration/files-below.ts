// Files of a local folder that are uploaded. Links that lead outside the folder, and everything that cannot be sent,
// are refused.
import { join, sep } from 'node:path'
import { type Disk, type FileStatus, hasCode } from '../ports/disk.js'
import { type ProjectPlace, UploadExclusions } from './kept-out.js'
import { sourceLimits } from './limits.js'
import { SourceProblem } from './source-problem.js'

export interface FoundFile {
  /** Path relative to the folder, with `/` between names. */
  readonly inner: string
  readonly full: string
  readonly status: { readonly sizeBytes: number }
}

/** Yields the files below a folder. `written` is the folder's path in agents.yaml. */
export async function* filesBelow(
  disk: Disk,
  root: string,
  { written, place }: { readonly written: string; readonly place: ProjectPlace },
): AsyncGenerator<FoundFile> {
  const realRoot = await disk.realPath(root)
  const ignored = await UploadExclusions.open(disk, place, root)
  const waiting = [{ path: root, inner: '', real: realRoot, depth: 1, rules: await ignored.rulesWithin(root) }]
  let folders = 0
  for (let folder = waiting.pop(); folder; folder = waiting.pop()) {
    if (folder.depth > sourceLimits.depthMax)
      throw new SourceProblem('source.too-large', `${written} is nested more than ${sourceLimits.depthMax} deep.`)
    folders++
    if (folders > sourceLimits.foldersMax)
      throw new SourceProblem('source.too-large', `${written} holds more than ${sourceLimits.foldersMax} folders.`)
    for (const name of await disk.list(folder.path)) {
      const full = join(folder.path, name)
      const inner = folder.inner + name
      // Excluded files are skipped before any check, because a broken file that is not sent does no harm.
      if (ignored.has(full, false, folder.rules)) continue
      const { status, real } = await statusWithin(disk, { realRoot, full, shown: `${written}/${inner}`, name })
      if (status.kind === 'folder') {
        if (ignored.has(full, true, folder.rules)) continue
        if ((folder.real + sep).startsWith(real + sep))
          throw new SourceProblem('source.broken-link', `${written}/${inner} is a link to a folder that it lies in.`)
        const rules = await ignored.rulesWithin(full, folder.rules)
        waiting.push({ path: full, inner: `${inner}/`, real, depth: folder.depth + 1, rules })
      } else if (/["\r\n]/.test(name))
        throw new SourceProblem(
          'source.name',
          `The name of ${written}/${JSON.stringify(inner).slice(1, -1)} has a double quote or a line break.`,
        )
      else if (status.kind === 'file') yield { inner, full, status }
      else throw new SourceProblem('source.wrong-kind', `${written}/${inner} is neither a file nor a folder.`)
    }
  }
}

interface Entry {
  readonly realRoot: string
  readonly full: string
  readonly shown: string
  readonly name: string
}

/** Checks the status of a path. `real` is the path with links followed. */
async function statusWithin(
  disk: Disk,
  { realRoot, full, shown, name }: Entry,
): Promise<{ readonly status: FileStatus; readonly real: string }> {
  try {
    const status = await disk.status(full)
    if (status !== null) {
      const real = await disk.realPath(full)
      if ((real + sep).startsWith(realRoot + sep)) return { status, real }
      throw new SourceProblem('source.escape', `${shown} is a link to something outside the folder.`)
    }
  } catch (error) {
    if (!hasCode(error, 'ELOOP')) throw error
    throw new SourceProblem('source.broken-link', `${shown} is a link that leads back to itself.`)
  }
  // The disk lists bytes; names that are not UTF-8 contain replacement characters and cannot be opened.
  if (name.includes('\uFFFD')) throw new SourceProblem('source.name', `The name of ${shown} is not UTF-8.`)
  throw new SourceProblem('source.broken-link', `${shown} is a link to something that does not exist.`)
}
