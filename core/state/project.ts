// Whether a state file belongs to the folder it lies in: the rows of another project would all be planned for removal.

import { basename } from 'node:path'
import type { Diagnostic } from '../diagnostic.js'
import { diagnostic, problem } from '../problems/index.js'
import type { Contents } from './document.js'

export interface FolderIdentity {
  /** The folder's own name. */
  readonly name: string
  /** `FileStatus.id` of the folder. */
  readonly id: string | undefined
}

/**
 * State keeps the name its project had at the first apply. When the folder's name differs now, the folder was renamed
 * (then it still has the id it had), or the state file was copied here.
 */
export function isAtHome({ project, folder, rows }: Contents, { name, id }: FolderIdentity): boolean {
  return project === name || (folder !== undefined && folder === id) || rows.size === 0
}

export function checkProject(contents: Contents, here: FolderIdentity, path: string): readonly Diagnostic[] {
  const { project } = contents
  if (project === here.name) return []
  if (!isAtHome(contents, here)) throw otherProject(contents, here, path)
  return [
    diagnostic('state.project-renamed', {
      detail: `Objects stay marked as belonging to "${project}", although the folder is called "${here.name}" now.`,
    }),
  ]
}

function otherProject({ project, rows }: Contents, { name }: FolderIdentity, path: string) {
  return problem('state.other-project', {
    detail: `${basename(path)} is of the project "${project}", and this folder is "${name}" and was never called otherwise. Going on could remove ${count(rows.size)} of that project. Nothing was changed. The file is ${path}.`,
    fix: `Put the state of this project in its place, or move the file away if there is none yet. If "${project}" was copied here as a whole to go on under a new name, call the folder "${project}" again.`,
  })
}

function count(resources: number): string {
  return resources === 1 ? 'the one resource' : `all ${resources} resources`
}
