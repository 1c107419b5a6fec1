// Loads state: the state file, with the journal of an interrupted run folded in. Writes nothing.

import { basename } from 'node:path'
import type { Diagnostic, Problem } from '../diagnostic.js'
import type { Disk } from '../ports/disk.js'
import type { Random } from '../ports/random.js'
import { diagnostic, problem } from '../problems/index.js'
import { shellWord } from '../value/shell-word.js'
import { type Contents, parseState } from './document.js'
import { diskProblem, findStateFiles, readIfThere, type StateFiles } from './files.js'
import type { Home } from './home.js'
import { fold, type Journal, parseJournal } from './journal.js'
import { checkProject, checkStrays, isAtHome } from './project.js'

export interface OpenOptions extends Home {
  readonly disk: Disk
  readonly random: Random
  /** True if a state of another project is accepted unchanged, for commands that only change named rows. */
  readonly acceptsOtherProject?: boolean
  /** True if a new state may begin although an earlier one was lost, for commands that bind existing objects. */
  readonly beginsAnew?: boolean
  /** Lineage and salt of a saved plan that was made before any state existed. */
  readonly initial?: Pick<Contents, 'lineage' | 'salt'>
}

/** Contents of a state, and facts about its files. */
export interface State extends Contents {
  /** True if no state file exists yet. Lineage and salt are then new, and remain if this state is written. */
  readonly isNew: boolean
  readonly notes: readonly Diagnostic[]
}

export interface LoadedState {
  readonly files: StateFiles
  /** Contents of the state file; undefined if there is none. */
  readonly saved: Contents | undefined
  /** Contents with the journal folded in. */
  readonly contents: Contents
  readonly hasJournal: boolean
  readonly notes: readonly Diagnostic[]
}

export async function load(options: OpenOptions): Promise<LoadedState> {
  try {
    return await loadFiles(options)
  } catch (error) {
    throw diskProblem(error, options.folder, 'read')
  }
}

async function loadFiles(options: OpenOptions): Promise<LoadedState> {
  const { disk, folder, fileName, projectName, isNamed = false } = options
  const files = await findStateFiles(disk, options)
  const id = (await disk.status(folder))?.id
  // The journal is read first: if a run ends in between, the journal that was read is older than the state file, and
  // nothing is missing.
  const journalBytes = await readIfThere(disk, files.journal)
  const stateBytes = await readIfThere(disk, files.state)
  const hasJournal = journalBytes !== undefined
  const journal = hasJournal ? parseJournal(journalBytes, files.journal) : undefined
  if (!stateBytes) {
    if (journal) throw orphaned(files)
    if (!options.beginsAnew) await refuseLost(options, files)
    if (!options.acceptsOtherProject) await checkStrays(disk, { folder, fileName, projectName, isNamed, id }, files)
    return { files, saved: undefined, contents: emptyContents(options, id), hasJournal, notes: [] }
  }
  const hasBackup = await hasContent(disk, files.backup)
  const saved = parseState(stateBytes, { path: files.state, ...(hasBackup ? { backup: files.backup } : {}) })
  const here = { folder, fileName, projectName, isNamed, id }
  const notes = options.acceptsOtherProject ? [] : await checkProject(disk, saved, here, files.state)
  const contents = journal ? fold(saved, journal, files.journal) : saved
  return {
    files,
    saved,
    contents: isAtHome(saved, here)
      ? { ...contents, ...namesOf(saved, here), ...(id === undefined ? {} : { folder: id }), file: fileName }
      : contents,
    hasJournal,
    notes: [
      ...notes,
      ...(journal && contents !== saved ? takenUp(journal, saved, files) : []),
      ...(journal ? cutOff(journal.unreadable, files) : cutOff(journalBytes?.length ? 1 : 0, files)),
    ],
  }
}

/** Returns the name that the file gives the project. An earlier name stays on objects until an apply has marked them. */
function namesOf({ project, formerly = [] }: Contents, { projectName, isNamed }: Home): Partial<Contents> {
  if (!isNamed || project === projectName) return {}
  return { project: projectName, formerly: [...new Set([...formerly, project])].filter((name) => name !== projectName) }
}

function emptyContents({ fileName, projectName, random, initial }: OpenOptions, id: string | undefined): Contents {
  return {
    project: projectName,
    ...(id === undefined ? {} : { folder: id }),
    file: fileName,
    lineage: initial?.lineage ?? random.uuid(),
    serial: 0,
    salt: initial?.salt ?? random.uuid(),
    providers: new Map(),
    rows: new Map(),
  }
}

function takenUp({ changes, serial }: Journal, saved: Contents, files: StateFiles): Diagnostic[] {
  const [name, journal] = [basename(files.state), basename(files.journal)]
  const interrupted: Diagnostic = diagnostic('state.taken-up', {
    detail: `${journal} has ${changes.length} ${changes.length === 1 ? 'change' : 'changes'} of a run that did not end.`,
  })
  if (serial === saved.serial) return [interrupted]
  return [
    interrupted,
    diagnostic('state.older-than-journal', {
      detail: `${name} has serial ${saved.serial}, and the interrupted run started from ${serial}: what was recorded between the two is missing.`,
    }),
  ]
}

/** Warns of damaged journal lines, whether a crash of the machine or another program damaged them. */
function cutOff(lines: number, { journal }: StateFiles): readonly Diagnostic[] {
  if (lines === 0) return []
  const which = lines === 1 ? 'last line' : `last ${lines} lines`
  return [diagnostic('state.journal-cut-off', { detail: `The ${which} of ${basename(journal)} cannot be read.` })]
}

function orphaned(files: StateFiles): Problem {
  return problem('state.missing', {
    detail: `An interrupted run left ${files.journal}, but ${basename(files.state)}, which it continues, is gone.`,
  })
}

/**
 * Refuses to continue if a state file is missing and its backup exists: this program never removes state files, and all
 * objects would be created again.
 */
async function refuseLost({ disk }: OpenOptions, { state, backup }: StateFiles): Promise<void> {
  if (!(await hasContent(disk, backup))) return
  throw problem('state.missing', {
    detail: `${basename(state)} is gone, but ${basename(backup)}, the backup from before the last run that changed it, exists. Without state everything would be created again. Nothing was changed.`,
    fix: `Put it back: cp ${shellWord(backup)} ${shellWord(state)}. What the last run did is then found by "agents sync --import --owned". To start over instead, remove ${basename(backup)}.`,
  })
}

/** False for an empty file too, which a crash can leave: it restores nothing. */
async function hasContent(disk: Disk, path: string): Promise<boolean> {
  return ((await disk.status(path))?.sizeBytes ?? 0) > 0
}
