// Finds the state that belongs to a project file. Two files in one folder share neither state nor marks, because each would
// otherwise remove the objects of the other.
import { basename, dirname } from 'node:path'

export interface Home {
  /** Absolute path of the folder of the project file. */
  readonly folder: string
  /** Name of the project file. */
  readonly fileName: string
  /** Name of a new state, which ownership marks contain. */
  readonly projectName: string
}

/**
 * Default name of the project file. Names of states of other files contain the file name besides the name of the
 * folder.
 */
const usualName = 'agents.yaml'

/** Returns the home of a state. `file` is the absolute path of the project file. */
export function homeOf(file: string): Home {
  const [folder, fileName] = [dirname(file), basename(file)]
  const called = basename(folder)
  return { folder, fileName, projectName: fileName === usualName ? called : `${called}.${stateStem(fileName)}` }
}

/**
 * Returns the beginning of the names of state files: `agents` for agents.yaml, `prod` for prod.yaml, `prod.yml` for
 * prod.yml.
 */
export function stateStem(fileName: string): string {
  return fileName.endsWith('.yaml') && fileName !== '.yaml' ? fileName.slice(0, -'.yaml'.length) : fileName
}
