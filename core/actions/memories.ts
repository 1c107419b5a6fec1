// Entries of applied memory stores, which agents write and people read and correct.

import type { Problem } from '../diagnostic.js'
import type { MemoryActions, MemoryEntry } from '../plugin/actions.js'
import { problem } from '../problems/index.js'
import type { JsonObject } from '../value/tree.js'
import { type Applied, type AppliedRequest, type AppliedResource, notApplied, withoutAbility } from './applied.js'
import { type Attempt, attemptedEach, explainingFailures } from './failures.js'

/** One applied memory store. */
export class MemoryHandle {
  readonly address: string
  readonly provider: string
  private readonly resource: AppliedResource
  private readonly actions: MemoryActions<unknown>
  private readonly id: string

  constructor(
    private readonly applied: Applied,
    wanted: AppliedRequest,
  ) {
    this.resource = applied.find(wanted)
    this.address = this.resource.address
    this.provider = this.resource.providerName
    const { memories } = this.resource.provider
    if (!memories) throw withoutAbility(this.resource.provider, 'memories that can be looked into')
    this.actions = memories
    const { id } = this.resource.row
    if (id === null) throw notApplied(this.address)
    this.id = id
  }

  list(prefix?: string): AsyncGenerator<MemoryEntry> {
    return attemptedEach(this.attempt, this.actions.list(this.call, this.id, prefix))
  }

  async read(path: string): Promise<MemoryEntry> {
    const found = await explainingFailures(this.attempt, () => this.actions.read(this.call, this.id, path))
    if (!found) throw this.noEntry(path)
    return found
  }

  put(path: string, content: string): Promise<MemoryEntry> {
    return this.change(() => this.actions.put(this.call, this.id, path, content))
  }

  async remove(path: string): Promise<void> {
    if (!(await this.change(() => this.actions.remove(this.call, this.id, path)))) throw this.noEntry(path)
  }

  versions(path?: string): AsyncGenerator<JsonObject> {
    const { versions } = this.actions
    if (!versions) throw withoutAbility(this.resource.provider, 'versions of memories: the last write wins')
    return attemptedEach(this.attempt, versions.call(this.actions, this.call, this.id, path))
  }

  private change<Result>(act: () => Promise<Result>): Promise<Result> {
    return explainingFailures(this.attempt, async () => {
      await this.applied.refuseTakenOver(this.resource)
      return act()
    })
  }

  private get call() {
    return this.applied.call(this.provider)
  }

  private get attempt(): Attempt {
    return { subject: this.address, mask: (text) => this.applied.options.project.variables.mask(text) }
  }

  private noEntry(path: string): Problem {
    const { address } = this
    return problem('memory.no-entry', {
      address,
      detail: `${address} has nothing at "${path}".`,
      fix: `See "agents memory list ${this.resource.name}".`,
    })
  }
}
