// Changing agents.yaml for sync and import: candidates are loaded as if they stood in the file, and only a valid one
// takes its place.
import type { Project } from '../core/declaration/declaration.js'
import { loadProject } from '../core/declaration/load.js'
import { Problem } from '../core/diagnostic.js'
import { lockState } from '../core/engine.js'
import type { ApplyOptions } from '../core/options.js'
import { nodeDisk } from '../core/ports/node-disk.js'
import { systemRandom } from '../core/ports/random.js'
import type { StateWriter } from '../core/state/store.js'
import { type Binding, bindAll } from '../core/sync/import.js'
import { diskWith, readProjectFile, replaceProjectFile } from '../core/sync/project-file.js'
import type { EngineCommand } from './engine-command.js'
import { loadOptions, type OpenedProject } from './open-project.js'

export class ProjectEdit {
  private constructor(
    private readonly command: EngineCommand,
    private readonly opened: OpenedProject,
    /** As the file stands now. */
    private before: string,
  ) {}

  static async open(command: EngineCommand, opened: OpenedProject): Promise<ProjectEdit> {
    return new ProjectEdit(command, opened, await readProjectFile(nodeDisk, opened.project.file))
  }

  get text(): string {
    return this.before
  }

  /** Rejects with everything that makes the text invalid. */
  async load(text: string): Promise<Project> {
    const { project, engine } = this.opened
    const loaded = await loadProject({
      ...loadOptions(this.command, engine.emulatorUrl),
      disk: diskWith(nodeDisk, project.file, text),
    })
    if (!loaded.project) throw new Problem(loaded.diagnostics)
    return loaded.project
  }

  async write(text: string): Promise<void> {
    if (text === this.before) return
    const ports = { disk: nodeDisk, random: systemRandom }
    await replaceProjectFile(ports, this.opened.project.file, { before: this.before, after: text })
    this.before = text
  }

  /**
   * Writes the text and binds the objects it declares. When binding fails before anything was bound, the file says again
   * what it said: a declaration without its object would be created a second time.
   */
  async writeAndBind(state: StateWriter, text: string, bindings: readonly Binding[]): Promise<void> {
    const earlier = this.before
    const options: ApplyOptions = { ...this.opened.engine, project: await this.load(text) }
    await this.write(text)
    try {
      await bindAll(options, state, bindings)
    } catch (error) {
      if (!bindings.some(({ address }) => state.rows.has(address))) await this.write(earlier)
      throw error
    }
  }

  /** Runs the work under the lock. */
  async locked<Result>(work: (state: StateWriter) => Promise<Result>): Promise<Result> {
    const state = await lockState(this.opened.engine, `agents ${this.command.path.join(' ')}`)
    try {
      return await work(state)
    } finally {
      await state.close()
    }
  }
}
