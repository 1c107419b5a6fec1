// What the state files say together: the state file with the journal of an interrupted run folded in. Reads only.

import type { Diagnostic, Problem } from '../diagnostic.js'
import type { Disk } from '../ports/disk.js'
import type { Random } from '../ports/random.js'
import { diagnostic, problem } from '../problems/index.js'
import { type Contents, parseState } from './document.js'
import { diskProblem, readIfThere, type StateFiles, stateFiles } from './files.js'
import { fold, type Journal, parseJournal } from './journal.js'
import { checkProject, isAtHome } from './project.js'

export interface OpenOptions {
  readonly disk: Disk
  readonly random: Random
  /** Absolute folder of agents.yaml. */
  readonly folder: string
  /** The folder's name; a new state takes it. */
  readonly projectName: string
  /** For commands that only touch rows the user names: state of another project is fine, and stays so. */
  readonly acceptsOtherProject?: boolean
  /** Of a saved plan that was made before there was a state. */
  readonly initial?: Pick<Contents, 'lineage' | 'salt'>
}

/** What state knows. */
export interface State extends Contents {
  /** No state file exists yet; lineage and salt are made up, and stay if this state is written. */
  readonly isNew: boolean
  readonly notes: readonly Diagnostic[]
}

export interface Loaded {
  readonly files: StateFiles
  /** As the state file has them; undefined when there is none. */
  readonly saved: Contents | undefined
  /** With the journal folded in. */
  readonly contents: Contents
  readonly hasJournal: boolean
  readonly notes: readonly Diagnostic[]
}

export async function load(options: OpenOptions): Promise<Loaded> {
  try {
    return await loadFiles(options)
  } catch (error) {
    throw diskProblem(error, options.folder, 'read')
  }
}

async function loadFiles(options: OpenOptions): Promise<Loaded> {
  const { disk, folder, projectName } = options
  const files = stateFiles(folder)
  const id = (await disk.status(folder))?.id
  // The journal first: when a run ends in between, its journal is older than the state file, and nothing is missed.
  const journalBytes = await readIfThere(disk, files.journal)
  const stateBytes = await readIfThere(disk, files.state)
  const hasJournal = journalBytes !== undefined
  const journal = hasJournal ? parseJournal(journalBytes, files.journal) : undefined
  if (!stateBytes) {
    if (journal) throw orphaned(files)
    return { files, saved: undefined, contents: emptyContents(options, id), hasJournal, notes: [] }
  }
  const hasBackup = (await disk.status(files.backup)) !== null
  const saved = parseState(stateBytes, { path: files.state, ...(hasBackup ? { backup: files.backup } : {}) })
  const here = { name: projectName, id }
  const notes = options.acceptsOtherProject ? [] : checkProject(saved, here, files.state)
  const contents = journal ? fold(saved, journal, files.journal) : saved
  return {
    files,
    saved,
    contents: id !== undefined && isAtHome(saved, here) ? { ...contents, folder: id } : contents,
    hasJournal,
    notes: journal && contents !== saved ? [...notes, ...takenUp(journal, saved)] : notes,
  }
}

function emptyContents({ projectName, random, initial }: OpenOptions, id: string | undefined): Contents {
  return {
    project: projectName,
    ...(id === undefined ? {} : { folder: id }),
    lineage: initial?.lineage ?? random.uuid(),
    serial: 0,
    salt: initial?.salt ?? random.uuid(),
    providers: new Map(),
    rows: new Map(),
  }
}

function takenUp({ changes, serial }: Journal, saved: Contents): Diagnostic[] {
  const interrupted: Diagnostic = diagnostic('state.taken-up', {
    detail: `agents.state.journal holds ${changes.length} ${changes.length === 1 ? 'change' : 'changes'} of a run that did not end.`,
  })
  if (serial === saved.serial) return [interrupted]
  return [
    interrupted,
    diagnostic('state.older-than-journal', {
      detail: `agents.state.json has serial ${saved.serial}, and the interrupted run started from ${serial}: what was recorded between the two is missing.`,
    }),
  ]
}

function orphaned(files: StateFiles): Problem {
  return problem('state.missing', {
    detail: `An interrupted run left ${files.journal}, but agents.state.json, which it continues, is gone.`,
  })
}
