// Process that tries to take the lock on request: `take` on standard input is answered with `won` or `lost`, and
// `release` by `released`. The test for races bundles and spawns it.
import { createInterface } from 'node:readline'
import { Problem } from '../../../core/diagnostic.js'
import { systemClock } from '../../../core/ports/clock.js'
import { nodeDisk } from '../../../core/ports/node-disk.js'
import { nodeHost } from '../../../core/ports/node-host.js'
import { systemRandom } from '../../../core/ports/random.js'
import { acquireLock, type Lock } from '../../../core/state/lock.js'

const ports = { disk: nodeDisk, host: nodeHost, clock: systemClock, random: systemRandom }
let lock: Lock | undefined

const words: Readonly<Record<string, () => Promise<string>>> = {
  take: async () => {
    try {
      lock = await acquireLock({ ...ports, path: process.argv[2] ?? '', command: 'contender' })
      return 'won'
    } catch (error) {
      return error instanceof Problem && error.diagnostics[0]?.code === 'state.locked' ? 'lost' : String(error)
    }
  },
  release: async () => {
    await lock?.release()
    lock = undefined
    return 'released'
  },
}

for await (const word of createInterface({ input: process.stdin })) {
  process.stdout.write(`${await words[word]?.()}\n`)
}
