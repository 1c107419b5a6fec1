// Clients of the providers of a run, each of which connects at its first call.

import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { contentOf } from '../declaration/content.js'
import { unsetVariable } from '../declaration/unset.js'
import type { Diagnostic } from '../diagnostic.js'
import { Problem } from '../diagnostic.js'
import type { Call, Handler } from '../plugin/handler.js'
import type { Identity, Provider } from '../plugin/provider.js'
import { hasCode } from '../ports/disk.js'
import { problem } from '../problems/index.js'
import { expand } from '../value/placeholder.js'
import type { JsonObject } from '../value/tree.js'
import type { EngineOptions } from './options.js'
import { RemoteClocks } from './remote-clocks.js'
import { noticesOf } from './wait-notices.js'
import { withinEmulator } from './within-emulator.js'

/** Fingerprint that all emulators have, and stand-in for what is not set or not there while one is used. */
export const emulated = 'emulator'

export class Connections {
  readonly clocks: RemoteClocks
  private readonly clients = new Map<string, unknown>()

  constructor(
    private readonly options: EngineOptions & { readonly gentleStop?: AbortSignal },
    clockOffsets?: ReadonlyMap<string, number>,
  ) {
    this.clocks = new RemoteClocks(options.ports.clock, clockOffsets)
  }

  provider(name: string): Provider {
    const found = this.options.registry.provider(name)
    if (!found || !this.options.project.providers.has(name)) {
      throw problem('plan.provider-missing', {
        detail: `State has resources on ${name}, but the project file has no providers.${name}.`,
        fix: `Put the providers.${name} block back, or release its resources with "agents state rm ${name}.<kind>.<name>".`,
      })
    }
    return found
  }

  get isEmulated(): boolean {
    return this.options.emulatorUrl !== undefined
  }

  identity(name: string): Identity {
    const { emulatorUrl } = this.options
    const identity = this.provider(name).identify(this.configuration(name))
    return emulatorUrl === undefined ? identity : { host: emulatorUrl, account: 'emulator' }
  }

  /**
   * Returns the fingerprint of the account that calls would reach, which state is tied to. It is not reversible and
   * contains no secret.
   */
  fingerprint(name: string): string {
    if (this.isEmulated) return emulated
    const { host, workspace, account } = this.identity(name)
    return createHash('sha256')
      .update(JSON.stringify([host, workspace, account]))
      .digest('base64url')
      .slice(0, 16)
  }

  call(name: string, signal: AbortSignal, report: (diagnostic: Diagnostic) => void = () => {}): Call<unknown> {
    return {
      client: this.client(name),
      signal,
      content: (source) => contentOf(this.options.ports.disk, source),
      report,
    }
  }

  handler(name: string, kind: string, api: string | undefined): Handler {
    const { handlers, title } = this.provider(name)
    const found = handlers.find(
      (known) => known.kind === kind && (api === undefined || known.api === undefined || known.api === api),
    )
    if (found) return found
    throw problem('plan.handler-missing', {
      detail: `State has a ${kind} on ${title}, and this version of agents has no handler for it.`,
    })
  }

  private client(name: string): unknown {
    if (!this.clients.has(name)) {
      const { http, httpStream, clock, random } = this.options.ports
      const { trace, onWait, gentleStop, project } = this.options
      const emulatorUrl = this.emulatorOf(name)
      const environment = {
        http: this.clocks.watch(name, withinEmulator(name, emulatorUrl, http)),
        ...(httpStream === undefined ? {} : { httpStream: withinEmulator(name, emulatorUrl, httpStream) }),
        clock,
        random,
        readText: (path: string) => this.readText(path),
        ...(emulatorUrl === undefined ? {} : { emulatorUrl }),
        ...(trace === undefined ? {} : { trace: (line: string) => trace(`${name} ${project.variables.mask(line)}`) }),
        ...(gentleStop === undefined ? {} : { stopping: gentleStop }),
        ...(onWait === undefined ? {} : noticesOf(clock, (line) => onWait(`${name}: ${project.variables.mask(line)}`))),
      }
      this.clients.set(name, this.provider(name).connect(this.configuration(name), environment))
    }
    return this.clients.get(name)
  }

  private async readText(path: string): Promise<string> {
    const { ports, project, emulatorUrl } = this.options
    try {
      return new TextDecoder().decode(await ports.disk.read(resolve(project.folder, path)))
    } catch (error) {
      if (emulatorUrl !== undefined && hasCode(error, 'ENOENT')) return emulated
      throw error
    }
  }

  /** Returns the address of the emulated account. That of a dialect is below the dialect's name. */
  private emulatorOf(name: string): string | undefined {
    const { emulatorUrl, project } = this.options
    if (emulatorUrl === undefined || project.providers.get(name)?.like === undefined) return emulatorUrl
    return `${emulatorUrl.replace(/\/+$/, '')}/${name}`
  }

  /** Returns the configuration with variables expanded. It contains secrets. */
  configuration(name: string): JsonObject {
    const declared = this.options.project.providers.get(name)?.configuration ?? {}
    const unset: string[] = []
    const expanded = expand(declared, (placeholder) => {
      if (placeholder.type === 'output') return undefined
      const found = this.options.project.variables.value(placeholder.name) ?? placeholder.fallback
      if (found !== undefined) return found
      if (this.options.emulatorUrl !== undefined) return emulated
      unset.push(placeholder.name)
      return ''
    })
    if (unset.length > 0) throw new Problem(unset.map((variable) => unsetVariable(variable, `providers.${name}`)))
    return expanded as JsonObject
  }
}

export { unsetVariable }
