// One of several processes of a server: it answers requests behind the process that started it, and ends with it.
import { once } from 'node:events'
import { Channel } from '../processes/channel.js'
import { receivedError } from '../processes/channel-errors.js'
import { answerPings } from '../processes/watch-process.js'
import { wireToParent } from '../processes/wires.js'
import type { Config } from '../settings/config.js'
import { openingProblem } from './opening-problem.js'
import { type StartOptions, startServer } from './start.js'
import { dataFolderOfProcess, partVariables } from './supervise.js'

/** Resolves to the exit code when the process was told to stop. Throws when it must end before. */
export async function runProcess(config: Config, options: StartOptions): Promise<number> {
  const { env } = options
  const index = Number(env[partVariables.index])
  const wire = wireToParent()
  const channel = new Channel(wire, receivedError)
  answerPings(channel)
  let isStopped = false
  // Without the first process nothing can be read or written.
  wire.onClose(() => isStopped || process.exit(1))
  const settings = { ...config, data: dataFolderOfProcess(config, index), threads: Number(env[partVariables.threads]) }
  const behind = config.store === undefined ? { behind: { channel, index } } : {}
  const server = await startServer(settings, { ...options, ...behind, firstProcess: channel })
  const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  channel.notify('ready', server.url)
  // A process that has failed ends, and the first process starts another one.
  const failure = await Promise.race([stopped.then(() => undefined), server.failed])
  if (failure === undefined) await server.drain()
  await server.close()
  isStopped = true
  // The open channel would keep the process alive.
  process.disconnect()
  if (failure === undefined) return 0
  throw openingProblem(server.dataFolder, failure) ?? failure
}
