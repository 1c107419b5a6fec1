// Checks that a state file belongs to the project file beside it: otherwise all rows of another project would be
// planned for removal.

import { basename, join } from 'node:path'
import type { Diagnostic, Problem } from '../diagnostic.js'
import { type Disk, hasCode } from '../ports/disk.js'
import { diagnostic, problem } from '../problems/index.js'
import { shellWord } from '../value/shell-word.js'
import { type Contents, parseState } from './document.js'
import { readIfThere, type StateFiles } from './files.js'
import { type Home, nameOfProject, suffixOf } from './home.js'

export interface CurrentProject extends Home {
  /** `FileStatus.id` of the folder. */
  readonly id: string | undefined
}

export const stateEnding = '.state.json'

/**
 * True if the state belongs to this project. It stores the name that its project had at the first apply. If the name
 * differs now, either the folder or the file was renamed (then the folder still has its id), or the state file was
 * copied here.
 */
export function isAtHome(
  { project, folder, rows }: Contents,
  { projectName, folder: path, id }: CurrentProject,
): boolean {
  const isCalledSo = project === projectName || project === nameOfProject(basename(path))
  return isCalledSo || (folder !== undefined && folder === id) || rows.size === 0
}

/** Throws if the state belongs to another project, whose objects would count as no longer declared. */
export async function checkProject(
  disk: Disk,
  contents: Contents,
  here: CurrentProject,
  path: string,
): Promise<Diagnostic[]> {
  const { project, file = here.fileName, rows } = contents
  if (!isAtHome(contents, here)) throw otherProject(contents, here, path)
  const isOfAnother = file !== here.fileName && rows.size > 0
  if (isOfAnother && (await disk.status(join(here.folder, file))) !== null) throw otherFile(contents, file, here, path)
  if (project === here.projectName) return []
  if (here.isNamed)
    return [
      diagnostic('state.project-named', {
        detail: `${here.fileName} calls the project "${here.projectName}", and so far it was "${project}".`,
      }),
    ]
  return [
    diagnostic('state.project-renamed', {
      detail: `The marks of objects keep the name "${project}", although a new project here would be called "${here.projectName}".`,
    }),
  ]
}

/**
 * Refuses a project file without state if a state file nearby may be its own: the project file may have been renamed,
 * and its state is still under the old name. Creating everything again would be wrong, and so would be using any state
 * that is found.
 */
export async function checkStrays(disk: Disk, here: CurrentProject, files: StateFiles): Promise<void> {
  for (const name of await namesIn(disk, here.folder)) {
    const path = join(here.folder, name)
    if (!name.endsWith(stateEnding) || path === files.state) continue
    const contents = await contentsOf(disk, path)
    const file = contents?.file ?? `${name.slice(0, -stateEnding.length)}.yaml`
    const isAbandoned = contents !== undefined && contents.rows.size > 0 && isAtHome(contents, here)
    if (isAbandoned && (await disk.status(join(here.folder, file))) === null) throw renamedFile(path, file, here, files)
  }
}

export async function namesIn(disk: Disk, folder: string): Promise<readonly string[]> {
  try {
    return await disk.list(folder)
  } catch (error) {
    // The caller needs the folder anyway, and reports a clearer error.
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EPERM')) return []
    throw error
  }
}

/** Returns the contents; undefined if the file is no state file: other programs use names with this ending too. */
export async function contentsOf(disk: Disk, path: string): Promise<Contents | undefined> {
  const bytes = await readIfThere(disk, path)
  try {
    return bytes && parseState(bytes, { path })
  } catch {
    return undefined
  }
}

function otherProject(
  { project, rows }: Contents,
  { folder, fileName, projectName, isNamed }: CurrentProject,
  path: string,
): Problem {
  const here = isNamed ? fileName : projectName === basename(folder) ? 'this folder' : `${fileName} here`
  const suffix = suffixOf(fileName)
  const name = project.endsWith(suffix) ? project.slice(0, project.length - suffix.length) : project
  return problem('state.other-project', {
    detail: `${basename(path)} is of the project "${project}", and ${here} is "${projectName}" and never had another name. Going on could remove ${count(rows.size)} of that project. Nothing was changed. The file is ${path}.`,
    fix: `If this is the same project, write its name into ${fileName}, and the name of the folder does not matter: project: ${JSON.stringify(name)}. Otherwise put the state of this project in its place, or move the file away if there is none yet.`,
  })
}

function otherFile({ rows }: Contents, file: string, { fileName }: CurrentProject, path: string): Problem {
  return problem('state.other-file', {
    detail: `${basename(path)} was made by ${file}, which is in the same folder. Going on with ${fileName} could remove ${count(rows.size)} of ${file}. Nothing was changed. The file is ${path}.`,
    fix: `Move ${basename(path)} away, or back to where the state of ${file} belongs; ${fileName} then starts with a state of its own.`,
  })
}

function renamedFile(path: string, file: string, { fileName }: CurrentProject, files: StateFiles): Problem {
  return problem('state.other-file', {
    summary: 'The state of a removed project file lies beside this one',
    detail: `${fileName} has no state, and ${basename(path)} belongs to ${file}, which no longer exists. Without that state everything would be created again. Nothing was changed. The file is ${path}.`,
    fix: `If ${fileName} is ${file} under a new name, rename its state too: mv ${shellWord(path)} ${shellWord(files.state)}. Otherwise move ${basename(path)} out of the folder.`,
  })
}

function count(resources: number): string {
  return resources === 1 ? 'the one resource' : `all ${resources} resources`
}
