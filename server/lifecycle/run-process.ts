// One of several processes of a server: it answers requests behind the process that started it, and ends with it.
import { once } from 'node:events'
import { Channel } from '../processes/channel.js'
import { receivedError } from '../processes/channel-errors.js'
import { answerPings } from '../processes/watch-process.js'
import { wireToParent } from '../processes/wires.js'
import type { Config } from '../settings/config.js'
import type { SecretVariables } from '../settings/secrets.js'
import { openingProblem } from './opening-problem.js'
import { type StartOptions, startServer } from './start.js'
import { dataFolderOfProcess, partVariables, secretsName } from './supervise.js'

/** Resolves to the exit code when the process was told to stop. Throws when it must end before. */
export async function runProcess(config: Config, options: StartOptions): Promise<number> {
  const index = Number(options.env[partVariables.index])
  const wire = wireToParent()
  const channel = new Channel(wire, receivedError)
  let isEnded = false
  // Without the first process nothing can be read or written.
  wire.onClose(() => isEnded || process.exit(1))
  answerPings(channel)
  try {
    return await serve(config, { ...options, channel, index })
  } finally {
    isEnded = true
    // The open channel would keep the process alive, and its end would set the exit code.
    process.channel?.unref()
  }
}

interface ServeOptions extends StartOptions {
  readonly channel: Channel
  readonly index: number
}

async function serve(config: Config, { channel, index, ...options }: ServeOptions): Promise<number> {
  const threads = Number(options.env[partVariables.threads])
  const port = Number(options.env[partVariables.port] ?? config.port)
  const settings = { ...config, data: dataFolderOfProcess(config, index), threads, port }
  const behind = config.store === undefined ? { behind: { channel, index } } : {}
  // The operator accepted the state of the first start, and not changes since.
  const isAgain = options.env[partVariables.again] !== undefined
  const accepted = isAgain ? { acceptNewSecrets: false, acceptMovedFiles: false } : {}
  const env = { ...options.env, ...(await channel.call<SecretVariables>(secretsName)) }
  const server = await startServer(settings, { ...options, env, ...accepted, ...behind, firstProcess: channel })
  const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  channel.notify('ready', server.url)
  // A process that has failed ends, and the first process starts another one.
  const failure = await Promise.race([stopped.then(() => undefined), server.failed])
  if (failure === undefined) await server.drain()
  await server.close()
  if (failure === undefined) return 0
  throw openingProblem(server.dataFolder, failure) ?? failure
}
