// Objects of the other project files in the folder, as their states record them. Sync and import do not change these.
import { basename, join } from 'node:path'
import { type Address, parseAddress } from '../value/address.js'
import { homeOf, stateStem } from './home.js'
import { contentsOf, namesIn, stateEnding } from './project.js'
import type { StateOwner } from './project-state.js'

export interface Neighbour {
  /** Name of the project file. */
  readonly file: string
  /** Name of its project, which the marks of its objects carry. */
  readonly project: string
  readonly id: string
  readonly address: Address
}

/** Objects by `provider kind id`. */
export type Neighbours = ReadonlyMap<string, Neighbour>

/** Returns the managed objects of other project files. States of files that no longer exist are ignored. */
export async function neighbouringObjects({ project, ports }: StateOwner): Promise<Neighbours> {
  const { disk } = ports
  const { folder, fileName } = homeOf(project)
  const found = new Map<string, Neighbour>()
  for (const name of await namesIn(disk, folder)) {
    if (!name.endsWith(stateEnding) || name === `${stateStem(fileName)}${stateEnding}`) continue
    const contents = await contentsOf(disk, join(folder, name))
    const file = contents?.file ?? `${basename(name, stateEnding)}.yaml`
    if (contents === undefined || file === fileName || (await disk.status(join(folder, file))) === null) continue
    for (const [address, { id, ownership, deposed = [] }] of contents.rows) {
      if (id === null || ownership === 'external') continue
      const { provider, kind } = parseAddress(address)
      for (const one of [id, ...deposed.map((old) => old.id)])
        found.set(`${provider} ${kind} ${one}`, { file, project: contents.project, id: one, address })
    }
  }
  return found
}
