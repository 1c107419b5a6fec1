// Changes agents.yaml for sync and import: a candidate text is loaded as if it were the file, and replaces the file
// only if it is valid.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { ApplyOptions } from '../../core/apply/options.js'
import { loadProject } from '../../core/declaration/load.js'
import { Problem } from '../../core/diagnostic.js'
import type { Project } from '../../core/plugin/declaration.js'
import { nodeDisk } from '../../core/ports/node-disk.js'
import { systemRandom } from '../../core/ports/random.js'
import { lockState } from '../../core/state/project-state.js'
import type { StateWriter } from '../../core/state/store.js'
import type { Binding } from '../../core/sync/bound.js'
import { bindAll } from '../../core/sync/import.js'
import {
  changedMeanwhile,
  diskWith,
  type Replacement,
  readProjectFile,
  replaceFiles,
} from '../../core/sync/project-file.js'
import type { SourceFolder } from '../../core/sync/source-folders.js'
import type { TextFile } from '../../core/sync/text-files.js'
import type { EngineCommand } from './engine-command.js'
import { loadOptions, type OpenedProject } from './open-project.js'

/** New texts of the project's files. */
export interface ProjectTexts {
  readonly text: string
  readonly files?: readonly TextFile[]
  readonly folders?: readonly SourceFolder[]
}

export class ProjectEdit {
  private constructor(
    private readonly command: EngineCommand,
    private readonly opened: OpenedProject,
    /** Text of agents.yaml from which the project was loaded. */
    readonly text: string,
    private readonly hardStop: AbortSignal,
  ) {}

  /** `hardStop` aborts calls to providers; nothing is recorded then. */
  static async open(command: EngineCommand, opened: OpenedProject, hardStop: AbortSignal): Promise<ProjectEdit> {
    const { file } = opened.project
    const text = await readProjectFile(nodeDisk, file)
    const sha256 = createHash('sha256').update(text).digest('hex')
    if (opened.source && sha256 !== opened.source.sha256) throw changedMeanwhile(file)
    return new ProjectEdit(command, opened, text, hardStop)
  }

  /** Rejects with all problems that make the texts invalid. */
  async load({ text, files = [], folders = [] }: ProjectTexts): Promise<Project> {
    const { project, engine } = this.opened
    const inFolders = folders.flatMap(({ path: folder, files: inside }) =>
      inside.map(({ path, bytes }) => [join(folder, path), bytes] as const),
    )
    const texts = files.map(({ path, after }) => [path, after] as const)
    const contents = new Map<string, string | Uint8Array>([...texts, ...inFolders, [project.file, text]])
    const paths = folders.map(({ path }) => path)
    const loaded = await loadProject({
      ...loadOptions(this.command, engine.emulatorUrl),
      disk: diskWith(nodeDisk, contents, paths),
    })
    if (!loaded.project) throw new Problem(loaded.diagnostics)
    return loaded.project
  }

  async write(wanted: ProjectTexts): Promise<void> {
    await replaceFiles({ disk: nodeDisk, random: systemRandom }, this.replacements(wanted))
  }

  /**
   * Writes the files and binds the objects they declare. If binding fails before anything was bound, the former files
   * are restored: a declaration without its object would be created a second time.
   */
  async writeAndBind(state: StateWriter, wanted: ProjectTexts, bindings: readonly Binding[]): Promise<void> {
    const options: ApplyOptions = {
      ...this.opened.engine,
      project: await this.load(wanted),
      hardStop: this.hardStop,
    }
    let isWritten = false
    const write = async () => {
      await this.write(wanted)
      isWritten = true
    }
    try {
      await bindAll(options, state, bindings, write)
    } catch (error) {
      if (isWritten && !bindings.some(({ address }) => state.rows.has(address))) await this.restoreFiles(wanted)
      throw error
    }
  }

  /**
   * Runs the work while holding the lock. If there is no state, the one that is created contains only what the work
   * binds.
   */
  async withLock<Result>(work: (state: StateWriter) => Promise<Result>): Promise<Result> {
    const state = await lockState(this.opened.engine, `agents ${this.command.path.join(' ')}`, { beginsAnew: true })
    try {
      return await work(state)
    } finally {
      await state.close()
    }
  }

  private async restoreFiles(wanted: ProjectTexts): Promise<void> {
    const backwards = this.replacements(wanted).map((one) => ({ ...one, before: one.after, after: one.before }))
    await replaceFiles({ disk: nodeDisk, random: systemRandom }, backwards.reverse())
  }

  /** Writes the files, agents.yaml last. */
  private replacements({ text, files = [], folders = [] }: ProjectTexts): readonly Replacement[] {
    const own = { path: this.opened.project.file, before: this.text, after: text }
    const inFolders = folders.flatMap(({ replacements }) => replacements)
    const inFiles = files.map(({ path, before, after }): Replacement => ({ path, before, after, keepsForm: true }))
    return [...inFiles, ...inFolders, own].filter(({ before, after }) => before !== after)
  }
}
