// Starts the emulators of all providers behind one address on the loopback.
import { randomUUID } from 'node:crypto'
import fastify, { type FastifyRequest } from 'fastify'
import { type Clock, systemClock } from '../core/ports/clock.js'
import type { Disk } from '../core/ports/disk.js'
import { nodeDisk } from '../core/ports/node-disk.js'
import { emulatedProviders } from './builtin-emulators.js'
import { Accounts } from './emulator/accounts.js'
import type { EmulatedProvider } from './emulator/contract.js'
import { controlPlugin } from './emulator/control.js'
import { ticker } from './emulator/emulated-account.js'
import type { Machinery } from './emulator/exchange.js'
import { Faults } from './emulator/faults.js'
import { WriteHold } from './emulator/hold.js'
import { changeKnobs, initialValues, startKnobs } from './emulator/knobs.js'
import { RequestLog } from './emulator/log.js'
import { formLimits } from './emulator/multipart-form.js'
import { apiPlugin } from './emulator/server.js'

export interface EmulatorOptions {
  /** Port to listen on. Default 0: any free port. */
  readonly port?: number
  /** Address to listen on. Default: the loopback address. */
  readonly host?: string
  /** Folder in which every object is stored; without it the emulator forgets them when it ends. */
  readonly dataFolder?: string
  readonly latencyMs?: number
  /** Share of requests that fail, from 0 to 1. */
  readonly faultRate?: number
  /** Seed that makes faults and ids repeatable. */
  readonly seed?: number
  /** Default: all providers. */
  readonly providers?: readonly EmulatedProvider[]
  readonly clock?: Clock
  readonly disk?: Disk
}

export interface Emulator {
  /** Root address, `http://127.0.0.1:4750`. */
  readonly url: string
  /** Closes every connection and ends after everything was written that is to be stored. */
  close(): Promise<void>
}

export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  // Settings, and state that all providers share.
  const clock = options.clock ?? systemClock
  const descriptions = options.providers ?? (await Promise.all(Object.values(emulatedProviders).map((load) => load())))
  const firstKnobs = startKnobs({
    ...options,
    providers: Object.fromEntries(descriptions.map(({ provider, knobs }) => [provider, initialValues(knobs ?? {})])),
  })
  let knobs = firstKnobs
  const idSeed = options.seed === undefined ? randomUUID() : String(options.seed)
  const times = ticker(() => clock.now())
  const log = new RequestLog()
  const hold = new WriteHold()
  const faults = new Faults(knobs.faults)
  const open = new Set<AbortController>()
  const closing = new AbortController()
  const machinery: Machinery = {
    log,
    faults,
    hold,
    knobs: () => knobs,
    now: () => clock.now(),
    sleep: async (ms, signal) => {
      if (ms > 0) await clock.sleep(ms, signal)
    },
    open,
    saved: (account) => accounts.saved(account),
  }

  // Accounts, loaded from the data folder if there is one.
  const accounts: Accounts = new Accounts({
    environment: { ticker: times, knobs: () => knobs, idSeed },
    disk: options.disk ?? nodeDisk,
    dataFolder: options.dataFolder,
    machinery: () => machinery,
  })
  for (const description of descriptions) await accounts.open(description)

  // The APIs of the providers, and the API that controls the emulator.
  const app = fastify({
    bodyLimit: formLimits.fileBytesMax,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 500 },
  })
  for (const account of [...accounts.all.values()])
    for (const api of account.description.apis) {
      const { prefix } = api
      await app.register(
        apiPlugin(api, () => accounts.exchange(account, api)),
        { prefix },
      )
      const ofDialect = ({ params }: FastifyRequest) =>
        accounts.dialect(account.description, (params as { readonly dialect: string }).dialect, prefix)
      await app.register(apiPlugin(api, ofDialect), { prefix: `/:dialect${prefix}` })
    }
  await app.register(
    controlPlugin({
      accounts: accounts.all,
      log,
      hold,
      knobs: () => knobs,
      change(change) {
        knobs = changeKnobs(knobs, change)
        if (change.faults !== undefined) faults.set(knobs.faults)
        hold.set(change.hold ?? null)
      },
      reset() {
        knobs = firstKnobs
        faults.set(knobs.faults)
        hold.set(null)
        for (const account of accounts.all.values()) account.reset()
        log.clear()
      },
      saved: () => accounts.saved(),
      closing: closing.signal,
    }),
    { prefix: '/_emulator' },
  )
  const address = await app.listen({ port: options.port ?? 0, host: options.host ?? '127.0.0.1' })
  return {
    url: address,
    async close() {
      closing.abort()
      for (const request of open) request.abort()
      hold.set(null)
      await app.close()
      await accounts.saved()
    },
  }
}
