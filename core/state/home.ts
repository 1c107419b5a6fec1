// Finds the state that belongs to a project file. Two files in one folder share neither state nor marks, because each
// would otherwise remove the objects of the other.
import { basename, dirname } from 'node:path'

export interface Home {
  /** Absolute path of the folder of the project file. */
  readonly folder: string
  /** Name of the project file. */
  readonly fileName: string
  /** Name of the project, which ownership marks contain; without one in the file, that of a new state. */
  readonly projectName: string
  /** True if the file names the project, so that the name of its folder does not count. */
  readonly isNamed?: boolean
}

/**
 * Default name of the project file. Names of states of other files contain the file name besides the name of the
 * folder.
 */
const usualName = 'agents.yaml'

/** Project file of a state: its absolute path, and the value of `project`, if it has one. */
export interface HomeRequest {
  readonly file: string
  readonly name?: string
}

export function homeOf({ file, name }: HomeRequest): Home {
  const [folder, fileName] = [dirname(file), basename(file)]
  const called = name ?? basename(folder)
  return { folder, fileName, projectName: nameOfProject(`${called}${suffixOf(fileName)}`), isNamed: name !== undefined }
}

/** Returns the name in the one form of characters that all systems agree on: some write `é` as two. */
export function nameOfProject(text: string): string {
  return text.normalize('NFC')
}

/** Returns what files of other names add to the name of the project. */
export function suffixOf(fileName: string): string {
  return fileName === usualName ? '' : `.${stateStem(fileName)}`
}

/**
 * Returns the beginning of the names of state files: `agents` for agents.yaml, `prod` for prod.yaml, `prod.yml` for
 * prod.yml.
 */
export function stateStem(fileName: string): string {
  return fileName.endsWith('.yaml') && fileName !== '.yaml' ? fileName.slice(0, -'.yaml'.length) : fileName
}
