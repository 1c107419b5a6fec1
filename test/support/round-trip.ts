// Sync and import in a world of the conformance suite: what the account holds, said anew by somebody without a file.

import { lockState, readState } from '../../core/engine.js'
import type { Version } from '../../core/plugin/conformance/subject.js'
import type { World } from '../../core/plugin/conformance/world.js'
import { bindAll } from '../../core/sync/import.js'
import { type SyncResult, syncProject } from '../../core/sync/sync.js'
import type { TextFile } from '../../core/sync/text-files.js'

export async function synced(world: World, version: Version): Promise<SyncResult> {
  const engine = await world.engine(version, world.begin())
  const load = async (text: string, texts: readonly TextFile[]) => {
    const files = { ...version.files, ...Object.fromEntries(texts.map(({ written, after }) => [written, after])) }
    return (await world.engine({ ...version, text, files }, world.begin())).project
  }
  return syncProject(await readState(engine), { ...engine, providers: [], text: version.text, load })
}

/** As `sync --import`: the version that the file has then. */
export async function imported(world: World, version: Version): Promise<Version> {
  const { text, imports } = await synced(world, version)
  const next = { ...version, text }
  const engine = await world.engine(next, world.begin())
  const state = await lockState(engine, 'agents sync')
  try {
    await bindAll(engine, state, imports)
  } finally {
    await state.close()
  }
  return next
}
