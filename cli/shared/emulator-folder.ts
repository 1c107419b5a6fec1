// Holds the folder of `agents emulate --data`: of two emulators in one folder, each would overwrite what the other stored.
import { join, resolve } from 'node:path'
import { Problem } from '../../core/diagnostic.js'
import { systemClock } from '../../core/ports/clock.js'
import { nodeDisk } from '../../core/ports/node-disk.js'
import { nodeHost } from '../../core/ports/node-host.js'
import { systemRandom } from '../../core/ports/random.js'
import { acquireLock, type Lock } from '../../core/state/lock.js'
import { problem } from '../line/problems.js'

/** Creates the folder and locks it until the release. Throws `cli.emulator-folder-in-use`. */
export async function holdFolder(folder: string): Promise<Lock> {
  await nodeDisk.createFolder(folder)
  const path = join(resolve(folder), 'emulator.lock')
  try {
    const ports = { disk: nodeDisk, host: nodeHost, clock: systemClock, random: systemRandom }
    return await acquireLock({ ...ports, path, command: 'agents emulate' })
  } catch (error) {
    if (!(error instanceof Problem) || error.diagnostics[0]?.code !== 'state.locked') throw error
    const detail = `Another emulator has locked ${folder}: each would overwrite what the other stores. The lock is ${path}.`
    throw problem('cli.emulator-folder-in-use', { detail })
  }
}
