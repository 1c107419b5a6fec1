// Finds applied resources for actions by logical name. The provider may be omitted if only one has the name.

import { type Diagnostic, Problem } from '../diagnostic.js'
import { Connections } from '../plan/connections.js'
import { ownNamesOf } from '../plan/facts.js'
import { refuseOtherAccounts } from '../plan/guard.js'
import type { EngineOptions } from '../plan/options.js'
import { readOtherProject, refuseTakenOver } from '../plan/taken-over.js'
import type { Declaration } from '../plugin/declaration.js'
import type { Call } from '../plugin/handler.js'
import type { Provider } from '../plugin/provider.js'
import { problem } from '../problems/index.js'
import { type InitialState, readState } from '../state/project-state.js'
import type { Row } from '../state/row.js'
import type { State } from '../state/store.js'
import { type Address, namesAddress, parseAddress } from '../value/address.js'
import { hint, listed } from '../value/suggestions.js'

/** Reference to an applied resource: its name, or its address with or without the provider. */
export interface AppliedRequest {
  readonly kind: string
  readonly name: string
  /** Value of `--provider`. Absent: the only provider on which the resource was applied. */
  readonly provider?: string | undefined
}

export interface AppliedResource {
  readonly address: Address
  readonly providerName: string
  readonly provider: Provider
  readonly name: string
  readonly row: Row
  /** Absent when agents.yaml no longer declares the resource. */
  readonly declaration: Declaration | undefined
}

/** State and the providers behind it, read once for each command. */
export class Applied {
  private constructor(
    readonly options: EngineOptions,
    readonly state: State,
    private readonly connections: Connections,
  ) {}

  static async open(options: EngineOptions, begin?: InitialState): Promise<Applied> {
    return new Applied(options, await readState(options, begin), new Connections(options))
  }

  find(wanted: AppliedRequest): AppliedResource {
    const { project } = this.options
    const wantedProvider = wanted.provider === undefined ? undefined : this.declaredProvider(wanted.provider)
    const found = [...this.state.rows].filter(([address]) => {
      const { provider, kind, name } = parseAddress(address)
      if (kind !== wanted.kind || (wantedProvider !== undefined && provider !== wantedProvider)) return false
      return name === wanted.name || namesAddress(wanted.name, address)
    })
    const [only] = found
    if (!only) throw this.unknown(wanted)
    if (found.length > 1) throw severalProviders(wanted, found)
    const [address, row] = only
    const { provider: providerName, name } = parseAddress(address)
    this.refuseOtherAccount(providerName)
    const provider = this.connections.provider(providerName)
    const declaration = project.find(wanted.kind, name)
    const isHere = declaration?.providers.names.includes(providerName)
    return { address, providerName, provider, name, row, declaration: isHere ? declaration : undefined }
  }

  /** Returns every declared provider that has the ability. */
  providersWith(has: (provider: Provider) => boolean): readonly string[] {
    return [...this.options.project.providers.keys()].filter((name) => has(this.connections.provider(name)))
  }

  /**
   * Returns the provider meant by a request without a logical name: the requested one, else the only one that has the
   * ability, else the only one of those on which anything was applied.
   */
  providerFor(request: string | undefined, what: string, has: (provider: Provider) => boolean): string {
    if (request !== undefined) {
      const name = this.declaredProvider(request)
      if (!has(this.connections.provider(name))) throw withoutAbility(this.connections.provider(name), what)
      return name
    }
    const able = this.providersWith(has)
    const used = new Set([...this.state.rows.keys()].map((address) => parseAddress(address).provider))
    const inUse = able.filter((name) => used.has(name))
    const [only] = able.length === 1 ? able : inUse
    if (only !== undefined && (able.length === 1 || inUse.length === 1)) return only
    if (able.length === 0) throw nobodyAble(what, [...this.options.project.providers.keys()])
    throw problem('action.which-provider', {
      detail: `${listed(able)} have ${what}.`,
      fix: `Add --provider with one of them.`,
    })
  }

  provider(name: string): Provider {
    return this.connections.provider(name)
  }

  handler(name: string, kind: string, api: string | undefined) {
    return this.connections.handler(name, kind, api)
  }

  call(name: string, report: (diagnostic: Diagnostic) => void = () => {}): Call<unknown> {
    this.refuseOtherAccount(name)
    return this.connections.call(name, this.options.signal ?? new AbortController().signal, report)
  }

  /** Throws if another project has taken the object over, whose object an action would change. Costs one read. */
  async refuseTakenOver({ address, providerName, row }: AppliedResource): Promise<void> {
    const handler = this.handler(providerName, parseAddress(address).kind, row.api)
    if (row.id === null || row.ownership === 'external') return
    const ownNames = ownNamesOf(this.state)
    const project = await readOtherProject(handler, this.call(providerName), { id: row.id, ownNames })
    if (project !== undefined) throw new Problem([refuseTakenOver(address, row, project)])
  }

  /** Returns the canonical name of a provider that the file declares. */
  declaredProvider(written: string): string {
    const { registry, project } = this.options
    const name = registry.canonicalName(written) ?? written
    if (project.providers.has(name)) return name
    throw problem('action.unknown-provider', {
      detail: `The project file has no providers.${written}. ${hint(written, [...project.providers.keys()])}`,
      fix: `Name a declared one, or add a providers.${written} block.`,
    })
  }

  /** Throws if state belongs to another account, where its ids mean nothing. */
  private refuseOtherAccount(name: string): void {
    const { providers, rows } = this.state
    refuseOtherAccounts([name], { fingerprints: Object.fromEntries(providers), rows }, this.connections)
  }

  private unknown({ kind, name, provider }: AppliedRequest): Problem {
    const { project } = this.options
    const where = provider === undefined ? '' : ` on ${provider}`
    const declared = project.find(kind, name)
    if (declared && provider !== undefined && !declared.providers.names.includes(this.declaredProvider(provider)))
      return problem('action.elsewhere', {
        detail: `The ${kindText(kind)} "${name}" goes to ${listed(declared.providers.names)} and not to ${provider}.`,
        fix: `Use --provider ${declared.providers.names[0]}, or target ${provider} with it too.`,
      })
    if (declared) return notApplied(`The ${kindText(kind)} "${name}"`, where)
    const applied = [...this.state.rows.keys()].map(parseAddress).filter((one) => one.kind === kind)
    const names = new Set([...project.ofKind(kind), ...applied].map((one) => one.name))
    return problem('action.unknown-name', {
      detail: `Neither the project file nor state has the ${kindText(kind)} "${name}"${where}.`,
      fix: hint(name, [...names]),
    })
  }
}

export function notApplied(what: string, where = ''): Problem {
  return problem('action.not-applied', { detail: `${what} is declared, but it does not exist${where} yet.` })
}

export function withoutAbility({ title }: Provider, what: string, fix?: string): Problem {
  return problem('action.not-offered', { detail: `${title} has no ${what}.`, ...(fix === undefined ? {} : { fix }) })
}

function nobodyAble(what: string, declared: readonly string[]): Problem {
  return problem('action.not-offered', {
    summary: 'No provider here offers this',
    detail: `None of ${listed(declared)} has ${what}.`,
  })
}

function severalProviders({ kind, name }: AppliedRequest, found: readonly (readonly [Address, Row])[]): Problem {
  const addresses = found.map(([address]) => address)
  return problem('action.which-provider', {
    detail: `The ${kindText(kind)} "${name}" was applied as ${addresses.join(' and ')}.`,
    fix: `Add --provider with one of ${listed(addresses.map((address) => parseAddress(address).provider))}.`,
  })
}

/** Returns the kind for messages: `memory store` for `memory_store`. */
export function kindText(kind: string): string {
  return kind.replaceAll('_', ' ')
}
