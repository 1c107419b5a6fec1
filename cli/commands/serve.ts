// `agents serve`: runs the document server, with an embedded store unless another one is configured.
import cluster from 'node:cluster'
import { once } from 'node:events'
import { join } from 'node:path'
import { Command, Option } from 'clipanion'
import type { RunningServer } from '../../server/lifecycle/start.js'
import type { Config } from '../../server/settings/config.js'
import { Output } from '../render/output.js'
import { listSetting, switchSetting, textSetting } from '../shared/setting-options.js'
import { type Context, isTerminal } from '../terminal/context.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

export class ServeCommand extends Command<Context> {
  static override paths = [['serve']]
  static override usage = Command.Usage({
    category: 'Documents',
    description: 'Serve PDF documents over HTTP',
    details:
      'Keeps everything in one folder and needs no configuration. Every setting is a flag, an environment variable\n' +
      '(--document-bytes-max is STEWARD_SERVE_DOCUMENT_BYTES_MAX) or a line of the --config file, in this order.\n' +
      'Secrets are made once, in secrets.json of the data folder, and the API token is shown then, on a terminal only;\n' +
      'STEWARD_API_TOKEN, STEWARD_SIGNING_SECRET and STEWARD_SEALING_KEY override them.\n' +
      'Ctrl-C stops accepting requests, finishes those in flight, and closes.',
    examples: [
      ['Everything in ./steward-data, on 127.0.0.1', 'agents serve'],
      ['For a program: any free port, {"url": …, "apiToken": …} as the first line', 'agents serve --port 0 --json'],
      ['Verify every record and file of a stopped server', 'agents serve --check --data /srv/steward'],
    ],
  })

  config = Option.String('--config', { description: 'YAML file with settings.' })
  host = textSetting('host')
  port = textSetting('port')
  data = textSetting('data')
  store = textSetting('store')
  blobs = textSetting('blobs')
  blobCacheBytes = textSetting('blobCacheBytes')
  redis = textSetting('redis')
  publicUrl = textSetting('publicUrl')
  trustProxy = switchSetting('trustProxy')
  drainSeconds = textSetting('drainSeconds')
  threads = textSetting('threads')
  processes = textSetting('processes')
  documentBytesMax = textSetting('documentBytesMax')
  tenantBytesMax = textSetting('tenantBytesMax')
  shareBytesMax = textSetting('shareBytesMax')
  tokenBytesMax = textSetting('tokenBytesMax')
  pixelsMax = textSetting('pixelsMax')
  importAllow = listSetting('importAllow')
  importHttp = switchSetting('importHttp')
  webhookAllow = listSetting('webhookAllow')
  webhookHttp = switchSetting('webhookHttp')
  trustRoots = textSetting('trustRoots')
  tokenPublicKey = textSetting('tokenPublicKey')
  tokenJwks = textSetting('tokenJwks')
  tokenIssuer = textSetting('tokenIssuer')
  tokenAudience = textSetting('tokenAudience')
  tokenRevocation = switchSetting('tokenRevocation')
  logLevel = textSetting('logLevel')
  check = Option.Boolean('--check', false, { description: 'Verify the data folder of a stopped server, and end.' })
  acceptNewSecrets = Option.Boolean('--accept-new-secrets', false, {
    description: 'Replace the secrets that the processes on one --store were first started with.',
  })
  acceptMovedFiles = Option.Boolean('--accept-moved-files', false, {
    description:
      'Record that the files are where this server has them: they were moved, or belong to a deployment that is gone.',
  })
  json = Option.Boolean('--json', false, {
    description: 'Print {"url": …, "apiToken": …} as the first line on stdout.',
  })

  private accepted() {
    return { acceptNewSecrets: this.acceptNewSecrets, acceptMovedFiles: this.acceptMovedFiles }
  }

  #output: Output | undefined

  get output(): Output {
    this.#output ??= new Output(this.context, { isJson: this.json })
    return this.#output
  }

  override async execute(): Promise<number> {
    const { readSettings } = await import('../../server/settings/settings.js')
    const { check, config: file, context, output } = this
    const settings = await readSettings({ flags: this.flags(), env: context.env, ...(file ? { file } : {}) })
    if (check) {
      const { checkData } = await import('../reconcile/data-check.js')
      return checkData(settings, { env: context.env, output })
    }
    if (cluster.isWorker) {
      const { runProcess } = await import('../../server/lifecycle/run-process.js')
      const { env, version, stderr: logTo } = context
      return runProcess(settings, { env, version, logTo, ...this.accepted() })
    }
    const server = await this.start(settings)
    // Signal handlers are installed before the server is announced: from then on it may be stopped.
    const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]).then(() => undefined)
    this.announce(server)
    return this.untilStopped(server, stopped)
  }

  private async start(settings: Config): Promise<RunningServer> {
    const { context, output } = this
    const { processCount, superviseServers } = await import('../../server/lifecycle/supervise.js')
    if (processCount(settings) > 1) {
      const news = { ended: 'ended; it is started again', silent: 'does not answer; it is ended' }
      const onLoss = (index: number, loss: keyof typeof news) =>
        output.note(`Process ${index} of the server ${news[loss]}.`)
      return superviseServers(settings, { env: context.env, onLoss })
    }
    const { startServer } = await import('../../server/lifecycle/start.js')
    const { env, version, stderr: logTo } = context
    return startServer(settings, { env, version, logTo, ...this.accepted() })
  }

  private announce({ url, apiToken, apiTokenSource, dataFolder }: RunningServer): void {
    const { output } = this
    if (this.json) {
      this.context.stdout.write(`${JSON.stringify({ url, apiToken })}\n`)
      return
    }
    output.print(`Serving documents on ${url}`)
    output.print(`  API token  ${this.shownToken({ apiToken, apiTokenSource, dataFolder })}`)
    output.print(`  Data       ${dataFolder}`)
    output.print(`  Reference  ${url}/docs`)
    if (isTerminal(this.context.stderr)) output.note('Press Ctrl-C to stop.')
  }

  /**
   * Returns the token itself only at the first start and only on a terminal, because logs of service managers and
   * containers remain readable for a long time; otherwise the place where it is stored.
   */
  private shownToken({
    apiToken,
    apiTokenSource,
    dataFolder,
  }: Omit<RunningServer, 'url' | 'failed' | 'drain' | 'close'>): string {
    if (apiTokenSource === 'environment') return 'from STEWARD_API_TOKEN'
    if (apiTokenSource === 'made' && isTerminal(this.context.stdout)) return apiToken
    return `in ${join(dataFolder, 'secrets.json')}, as apiToken`
  }

  /** Waits until the server is stopped, which counts as success; a failed store does not. */
  private async untilStopped(server: RunningServer, stopped: Promise<undefined>): Promise<ExitCode> {
    const failure = await Promise.race([stopped, server.failed])
    // A second signal ends the wait.
    if (failure === undefined) await Promise.race([server.drain(), once(process, 'SIGINT'), once(process, 'SIGTERM')])
    await server.close()
    if (failure === undefined) return exitCode.done
    const { openingProblem } = await import('../../server/lifecycle/opening-problem.js')
    throw openingProblem(server.dataFolder, failure) ?? failure
  }

  private flags() {
    const { host, port, data, store, blobs, redis, publicUrl, trustProxy, threads, documentBytesMax, pixelsMax } = this
    const { tenantBytesMax, shareBytesMax, tokenBytesMax } = this
    const {
      blobCacheBytes,
      processes,
      importAllow,
      importHttp,
      webhookAllow,
      webhookHttp,
      trustRoots,
      tokenPublicKey,
      tokenJwks,
      tokenIssuer,
      tokenAudience,
      tokenRevocation,
      logLevel,
      drainSeconds,
    } = this
    return {
      ...{ host, port, data, store, blobs, redis, publicUrl, trustProxy, threads, documentBytesMax, pixelsMax },
      ...{ tenantBytesMax, shareBytesMax, tokenBytesMax },
      ...{ importAllow, importHttp, webhookAllow, webhookHttp },
      ...{ trustRoots, tokenPublicKey, tokenJwks, tokenIssuer, tokenAudience },
      ...{ blobCacheBytes, processes, tokenRevocation, logLevel, drainSeconds },
    }
  }
}
