// Carries out `agents sync`: finds what to write, writes it, and binds objects if requested.
import { Applied } from '../../core/actions/applied.js'
import { readState } from '../../core/state/project-state.js'
import type { State } from '../../core/state/store.js'
import { recordContents } from '../../core/sync/adopt.js'
import { unsetVariablesIn } from '../../core/sync/mentioned.js'
import type { SourceFolder } from '../../core/sync/source-folders.js'
import { type SyncResult, syncProject } from '../../core/sync/sync.js'
import type { TextFile } from '../../core/sync/text-files.js'
import type { EngineCommand } from '../project/engine-command.js'
import type { OpenedProject } from '../project/open-project.js'
import { ProjectEdit } from '../project/project-edit.js'
import type { SyncView } from '../render/sync.js'
import { countOf } from '../render/text.js'

export interface SyncRequest {
  /** Names as given; empty or `all` selects every declared provider. */
  readonly providers: readonly string[]
  readonly outcome: SyncView['outcome']
  /** Other projects whose objects are taken over as well. */
  readonly take: readonly string[]
  readonly onlyOwned: boolean
  /** Aborts reading. */
  readonly signal: AbortSignal
  /** Aborts binding. */
  readonly hardStop: AbortSignal
}

export async function syncFile(
  command: EngineCommand,
  opened: OpenedProject,
  { providers, outcome, take, onlyOwned, signal, hardStop }: SyncRequest,
): Promise<SyncView> {
  const { engine, project } = opened
  const edit = await ProjectEdit.open(command, opened, hardStop)
  const applied = await Applied.open(engine, { beginsAnew: true })
  const names = providers.includes('all') ? [] : providers.map((written) => applied.declaredProvider(written))
  const find = async (state: State): Promise<SyncResult> => {
    const load = (text: string, files: readonly TextFile[], folders: readonly SourceFolder[]) =>
      edit.load({ text, files, folders })
    const { output } = command
    const onDiscovered = (objects: number) => output.live(`Reading from the providers: ${countOf(objects, 'object')}`)
    const options = { ...engine, providers: names, take, onlyOwned, text: edit.text, load, signal, onDiscovered }
    const result = await syncProject(state, options).finally(() => output.live(''))
    signal.throwIfAborted() // An aborted read must not pass for a complete one.
    return result
  }
  const view = (result: SyncResult): SyncView => {
    const written = [...result.added.map(({ body }) => body), ...result.changed.map(({ value }) => value)]
    return { result, unset: unsetVariablesIn(written, project.variables), outcome, file: command.config }
  }
  if (outcome === 'checked') return view(await find(await readState(engine, { beginsAnew: true })))
  // The lock keeps others from applying or importing while agents.yaml changes.
  return edit.withLock(async (state) => {
    const result = await find(state)
    const bindings = result.imports.map((one) => ({ ...one, take }))
    if (outcome === 'bound') await edit.writeAndBind(state, result, bindings)
    else await edit.write(result)
    if (result.adopted.length > 0)
      await recordContents({ ...engine, project: await edit.load(result) }, state, result.adopted)
    return view(result)
  })
}
