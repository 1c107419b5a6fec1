// Which state belongs to a project file. Two files in one folder share neither state nor marks: what one of them made is
// nothing that the other no longer declares.
import { basename, dirname } from 'node:path'

export interface Home {
  /** Absolute folder of the project file. */
  readonly folder: string
  /** The project file's own name. */
  readonly fileName: string
  /** The name a new state takes; ownership marks carry it. */
  readonly projectName: string
}

/** The project file of a folder; only others need a name of their own beside the folder's. */
const usualName = 'agents.yaml'

/** `file` is the absolute path of the project file. */
export function homeOf(file: string): Home {
  const [folder, fileName] = [dirname(file), basename(file)]
  const called = basename(folder)
  return { folder, fileName, projectName: fileName === usualName ? called : `${called}.${stateStem(fileName)}` }
}

/** Stem of the names of state files: `agents` for agents.yaml, `prod` for prod.yaml, `prod.yml` for prod.yml. */
export function stateStem(fileName: string): string {
  return fileName.endsWith('.yaml') && fileName !== '.yaml' ? fileName.slice(0, -'.yaml'.length) : fileName
}
