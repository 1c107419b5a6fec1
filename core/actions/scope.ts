// Scope for handlers of actions: the ids of applied resources, or the reasons why a resource has none.

import { createProject } from '../declaration/project.js'
import { refuseUnset, unsetVariable } from '../declaration/unset.js'
import { type Diagnostic, Problem } from '../diagnostic.js'
import { KnownOutputs } from '../plan/outputs.js'
import { resolveLeaf } from '../plan/values.js'
import type { Declaration, LocalSource, Project } from '../plugin/declaration.js'
import type { Scope } from '../plugin/scope.js'
import { diagnostic } from '../problems/index.js'
import type { Row } from '../state/row.js'
import { type Address, formatAddress, parseAddress } from '../value/address.js'
import { outputPlaceholder } from '../value/placeholder.js'
import { hint } from '../value/suggestions.js'
import { isObject, type Tree } from '../value/tree.js'
import { type Applied, type AppliedResource, kindText } from './applied.js'

/** Scope that collects every missing reference instead of stopping at the first. */
export class ActionScope implements Scope {
  readonly provider: string
  readonly api: string
  readonly project: Project
  /** Declarations whose outputs were requested. */
  readonly used = new Map<Address, Declaration>()
  private readonly missing = new Map<Address, Diagnostic>()
  private readonly values: KnownOutputs

  /** `attached`: declarations that only this action knows; their ids are set before anything is sent. */
  constructor(
    private readonly applied: Applied,
    private readonly resource: AppliedResource,
    private readonly attached: readonly Declaration[] = [],
  ) {
    const { project } = applied.options
    this.provider = resource.providerName
    this.api = resource.row.api ?? ''
    this.project = createProject({ ...project, declarations: [...project.declarations, ...attached] })
    this.values = new KnownOutputs(this.project.variables, applied.state.rows)
    for (const declaration of attached) this.setId(declaration, '')
  }

  setId({ kind, name }: Declaration, id: string): void {
    this.values.set(formatAddress({ provider: this.provider, kind, name }), { id })
  }

  output(kind: string, name: string, output = 'id'): string {
    refuseUnset(name, this.resource.address)
    const address = formatAddress({ provider: this.provider, kind, name })
    const declaration = this.project.find(kind, name)
    if (declaration?.providers.names.includes(this.provider)) this.used.set(address, declaration)
    const fault = this.faultOf(address, declaration, this.applied.state.rows.get(address))
    if (fault) this.missing.set(address, { ...fault, address })
    return outputPlaceholder(address, output)
  }

  source(written: string): LocalSource {
    refuseUnset(written, this.resource.address)
    const found = this.resource.declaration?.sources.get(written)
    if (!found) throw new Error(`${this.resource.address}: the source ${written} was never read`)
    return found
  }

  get faults(): readonly Diagnostic[] {
    return [...this.missing.values()]
  }

  /** Returns the tree with every placeholder expanded. Throws a `Problem` that lists everything that prevents it. */
  expand(tree: Tree): Tree {
    const { address } = this.resource
    if (this.missing.size > 0) throw new Problem(this.faults)
    const resolved = resolveLeaf(tree, this.values)
    if (resolved.type === 'unset')
      throw new Problem(resolved.variables.map((variable) => ({ ...unsetVariable(variable, address), address })))
    if (resolved.type === 'unknown') throw new Problem({ ...incomplete(resolved.of), address: resolved.of })
    return isObject(resolved.value) ? resolved.value : {}
  }

  private faultOf(
    address: Address,
    declaration: Declaration | undefined,
    row: Row | undefined,
  ): Diagnostic | undefined {
    const { kind, name } = parseAddress(address)
    if (declaration && this.attached.includes(declaration)) return undefined
    if (row === undefined && declaration === undefined) return unknownName(this.project, kind, name)
    if (row === undefined && declaration && !declaration.providers.names.includes(this.provider))
      return elsewhere(this.provider, declaration)
    const externalId = declaration && this.applied.options.registry.kinds.get(kind)?.external?.(declaration.body)
    if (externalId !== undefined) this.values.set(address, { id: externalId })
    else if (row === undefined || row.id === null) return unapplied(address)
    else if (row.operation?.type === 'parts') return incomplete(address)
    return undefined
  }
}

function unknownName(project: Project, kind: string, name: string): Diagnostic {
  const names = project.ofKind(kind).map((declaration) => declaration.name)
  return diagnostic('action.unknown-name', {
    detail: `The project file declares no ${kindText(kind)} "${name}".`,
    fix: hint(name, names),
  })
}

function elsewhere(provider: string, { kind, name, providers }: Declaration): Diagnostic {
  return diagnostic('action.elsewhere', {
    detail: `The ${kindText(kind)} "${name}" goes to ${providers.names.join(', ')} and not to ${provider}.`,
    fix: `Target ${provider} with it too, or name another resource.`,
  })
}

function unapplied(address: Address): Diagnostic {
  return diagnostic('action.not-applied', {
    detail: `${address} is declared, but it does not exist yet.`,
    fix: 'Run "agents apply" first.',
  })
}

function incomplete(address: Address): Diagnostic {
  return diagnostic('action.incomplete', {
    detail: `An apply was interrupted while it filled ${address}, so its content is incomplete.`,
    fix: 'Run "agents apply" to finish it.',
  })
}
