// Sync and import in a world of the conformance suite: declares the objects of an account in a new file.
import { dirname, join, relative } from 'node:path'
import { MemoryDisk } from '../../core/conformance/memory-disk.js'
import type { Version } from '../../core/conformance/subject.js'
import type { ProjectDisk, RunRequest, World } from '../../core/conformance/world.js'
import type { EngineOptions } from '../../core/plan/options.js'
import type { Project } from '../../core/plugin/declaration.js'
import { lockState, readState } from '../../core/state/project-state.js'
import type { StateWriter } from '../../core/state/store.js'
import type { Binding } from '../../core/sync/bound.js'
import { declareForImport } from '../../core/sync/declare.js'
import { bindAll } from '../../core/sync/import.js'
import { replaceFiles } from '../../core/sync/project-file.js'
import type { SourceFolder } from '../../core/sync/source-folders.js'
import { type SyncResult, syncProject } from '../../core/sync/sync.js'
import type { TextFile } from '../../core/sync/text-files.js'
import { parseAddress } from '../../core/value/address.js'

/** Path of agents.yaml in a world. */
export const projectFile = '/project/agents.yaml'

export async function synced(
  world: World<ProjectDisk>,
  version: Version,
  trouble: Pick<RunRequest, 'fate'> = {},
): Promise<SyncResult> {
  const engine = await world.engine(version, world.begin(trouble))
  const load = async (text: string, texts: readonly TextFile[], folders: readonly SourceFolder[]) => {
    const changed = Object.fromEntries(texts.map(({ written, after }) => [written, after]))
    const files = { ...version.files, ...changed, ...textsIn(folders) }
    return (await world.engine({ ...version, text, files }, world.begin())).project
  }
  return syncProject(await readState(engine), { ...engine, providers: [], text: version.text, load })
}

/** Runs `sync --import`, and returns the resulting version of the project. */
export async function imported(world: World, version: Version): Promise<Version> {
  const { text, imports } = await synced(world, version)
  const next = { ...version, text }
  const engine = await world.engine(next, world.begin())
  await locked(engine, (state) => bindAll(engine, state, imports))
  return next
}

/**
 * Applies the effect of `sync --import` to the disk, agents.yaml included. `sources` are paths that may exist beside it
 * already.
 */
export async function importAll(world: World<ProjectDisk>, sources: readonly string[] = []): Promise<void> {
  const here = await Folder.open(world, sources)
  await locked(here.engine, async (state) => {
    const { text, imports, folders } = await syncProject(state, {
      ...here.engine,
      providers: [],
      text: here.text,
      load: (candidate, _files, candidates) => here.load(candidate, candidates),
    })
    await here.write(state, { text, folders }, imports)
  })
}

/** Applies `import ADDRESS ID` of the only object of the kind to the disk; does nothing if it is bound already. */
export async function importOne(world: World<ProjectDisk>, address: string): Promise<void> {
  const here = await Folder.open(world)
  const { kind } = parseAddress(address)
  const { id = '' } = (await world.service.objects()).find((object) => object.kind === kind) ?? {}
  await locked(here.engine, async (state) => {
    if (state.rows.has(address)) return
    const declared = await declareForImport(here.engine, { state, text: here.text }, { address, id })
    await here.write(state, declared, [{ address, id }])
  })
}

/** Project folder of one process. */
class Folder {
  private constructor(
    private readonly world: World<ProjectDisk>,
    readonly engine: EngineOptions,
    readonly text: string,
    private readonly sources: readonly string[],
  ) {}

  static async open(world: World<ProjectDisk>, sources: readonly string[] = []): Promise<Folder> {
    const text = world.disk.text(projectFile) ?? ''
    return new Folder(world, await world.engine({ text }, world.begin()), text, sources)
  }

  /** Loads the candidate in a temporary folder: only the code under test writes to this disk. */
  async load(text: string, folders: readonly SourceFolder[]): Promise<Project> {
    const aside = this.world.withDisk(new MemoryDisk())
    for (const source of this.sources) {
      const current = this.world.disk.text(join(dirname(projectFile), source))
      if (current !== undefined) aside.disk.put(join(dirname(projectFile), source), current)
    }
    return (await aside.engine({ text, files: textsIn(folders) }, aside.begin())).project
  }

  async write(
    state: StateWriter,
    { text: after, folders }: Pick<SyncResult, 'text' | 'folders'>,
    bindings: readonly Binding[],
  ): Promise<void> {
    const { disk, random } = this.engine.ports
    const options = { ...this.engine, project: await this.load(after, folders) }
    const replacement = { path: projectFile, before: this.text, after }
    await bindAll(options, state, bindings, () =>
      replaceFiles({ disk, random }, [
        ...folders.flatMap(({ replacements }) => replacements),
        ...(after === this.text ? [] : [replacement]),
      ]),
    )
  }
}

/** Files by path, relative to agents.yaml. */
function textsIn(folders: readonly SourceFolder[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    folders.flatMap(({ path: folder, files }) =>
      files.map(({ path, bytes }) => [
        relative(dirname(projectFile), join(folder, path)),
        Buffer.from(bytes).toString(),
      ]),
    ),
  )
}

async function locked(engine: EngineOptions, work: (state: StateWriter) => Promise<void>): Promise<void> {
  const state = await lockState(engine, 'agents sync')
  try {
    await work(state)
  } finally {
    await state.close()
  }
}
