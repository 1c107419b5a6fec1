// Outputs known during a run: those of the rows, without those that planned changes will replace, with those that the
// apply has received.
import type { Variables } from '../plugin/declaration.js'
import type { Outputs } from '../plugin/scope.js'
import type { Row } from '../state/row.js'
import type { Address } from '../value/address.js'
import type { Values } from './values.js'

export class KnownOutputs implements Values {
  private readonly current = new Map<Address, Partial<Outputs>>()

  constructor(
    readonly variables: Variables,
    rows: ReadonlyMap<Address, Row>,
  ) {
    for (const [address, { id, outputs }] of rows) if (id !== null) this.current.set(address, { ...outputs, id })
  }

  output(address: Address, name: string): string | undefined {
    return this.current.get(address)?.[name]
  }

  /** Sets the outputs of an object that exists or is about to exist. */
  set(address: Address, outputs: Partial<Outputs>): void {
    this.current.set(address, outputs)
  }

  /** Removes outputs that a planned change will replace; without names, all of them. */
  forget(address: Address, names?: readonly string[]): void {
    if (names === undefined) this.current.delete(address)
    else this.current.set(address, omit(this.current.get(address) ?? {}, names))
  }
}

function omit(outputs: Partial<Outputs>, names: readonly string[]): Partial<Outputs> {
  return Object.fromEntries(Object.entries(outputs).filter(([name]) => !names.includes(name)))
}
