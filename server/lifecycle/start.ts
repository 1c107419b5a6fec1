// Starts a document server on its data folder: opens its parts in order, listens, and closes them in reverse.
import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { UnusedConnections } from '../http/unused-connections.js'
import { limits } from '../limits.js'
import type { Config } from '../settings/config.js'
import { serveProblem } from '../settings/problems.js'
import type { ApiTokenSource } from '../settings/secrets.js'
import { announce } from './announce.js'
import { type AppOptions, buildApp } from './app.js'
import { type DeploymentOptions, openDeployment } from './open-deployment.js'

export interface StartOptions extends DeploymentOptions, Omit<AppOptions, 'logger'> {}

export interface RunningServer {
  readonly url: string
  readonly apiToken: string
  readonly apiTokenSource: ApiTokenSource
  readonly dataFolder: string
  /**
   * Resolves when the process must end: the store failed, its rows are raised to a format unknown here, or other processes go on
   * without this one.
   */
  readonly failed: Promise<Error>
  /**
   * Reports through `/readyz` that the server is about to stop, and resolves after the time that balancers have to
   * notice; requests are served meanwhile.
   */
  drain(): Promise<void>
  /** Stops accepting requests, finishes those in flight, and closes the server. */
  close(): Promise<void>
}

export async function startServer(
  config: Config,
  { version, connectionBounds = {}, ...options }: StartOptions,
): Promise<RunningServer> {
  const opened = await openDeployment(config, options)
  const { deployment, dataFolder, apiToken, apiTokens, apiTokenSource, failed } = opened
  const closing: (() => Promise<unknown>)[] = [opened.close]
  const closeAll = async () => {
    for (const step of closing.reverse()) await step()
  }
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= closeAll()
    return closed
  }
  try {
    const app = await buildApp(deployment, { logger: deployment.log, version, connectionBounds })
    const unused = new UnusedConnections(app.server)
    closing.push(() => closeWithin(app, { unused, graceMs: limits.shutdownGraceMs }))
    const address = await listen(app, config)
    warnOfPlainHttp(config, deployment.log)
    // Programs on this machine need no proxy, so the local address is written.
    const addresses = { url: address, publicUrl: config.publicUrl }
    if (!options.firstProcess) closing.push(await announce(dataFolder, addresses, apiTokens))
    const drain = async () => {
      deployment.draining.abort()
      if (config.drainSeconds > 0) await setTimeout(config.drainSeconds * 1000)
    }
    return { url: config.publicUrl ?? address, apiToken, apiTokenSource, dataFolder, failed, drain, close }
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * Warns if the server listens for other machines and nothing says that a proxy with TLS is in front, because tokens then
 * cross the network in clear.
 */
function warnOfPlainHttp({ host, publicUrl, trustProxy }: Config, log: Logger): void {
  if (/^(127\.|::1$|localhost$)/.test(host) || publicUrl?.startsWith('https:') || trustProxy) return
  log.warn(
    { host },
    'plain HTTP for other machines: put a proxy with TLS in front, and name it with --public-url (docs/deploy.md)',
  )
}

/**
 * Closes the application; aborts unfinished requests at the time limit, so that a slow client cannot prevent the end.
 */
async function closeWithin(
  app: FastifyInstance,
  { unused, graceMs }: { readonly unused: UnusedConnections; readonly graceMs: number },
): Promise<void> {
  const cut = globalThis.setTimeout(() => app.server.closeAllConnections(), graceMs)
  try {
    // Every response closes its connection from now on, even if the connection was kept alive.
    app.server.keepAliveTimeout = 1
    const closed = app.close()
    unused.close()
    await closed
  } finally {
    clearTimeout(cut)
  }
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    return await app.listen({ host, port })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      throw serveProblem('serve.address-in-use', { detail: `${host}:${port} is in use.`, cause: error })
    }
    throw error
  }
}
