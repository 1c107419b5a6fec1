// Sequential model of one entry of a layer: changes set its value, and an undo restores the value before a change unless
// another change came after it.
import { canonical } from './canonical.js'
import type { Model } from './linearize.js'
import type { ChangeRecord } from './records.js'

/** Value of an entry; undefined = absent. */
export type Value = string | undefined

export type Input =
  | { readonly kind: 'set'; readonly opId: string; readonly value: string }
  | { readonly kind: 'undo'; readonly opId: string; readonly undoOf: string }
  | { readonly kind: 'read' }

export interface Output {
  /** Value after the operation. */
  readonly value: Value
}

/** What a change did, as its undo needs it. */
interface Effect {
  readonly before: Value
  readonly after: Value
}

export interface EntryState {
  readonly value: Value
  /** Effects by the `opId` of the change. */
  readonly effects: ReadonlyMap<string, Effect>
}

export const initialEntry: EntryState = { value: undefined, effects: new Map() }

/**
 * Returns the model for a history. States remember only effects that an undo of the history still needs, because states
 * that differ in nothing else are the same to the search.
 */
export function entryModel(inputs: readonly Input[]): Model<EntryState, Input, Output> {
  const undos = new Map<string, number>()
  for (const input of inputs) if (input.kind === 'undo') undos.set(input.undoOf, (undos.get(input.undoOf) ?? 0) + 1)
  return {
    initial: initialEntry,
    step(state, input, output) {
      const after = stateAfter(state, input)
      if (after === undefined || (output && output.value !== after.value)) return undefined
      const effects = new Map([...after.effects].filter(([opId]) => undos.has(opId)))
      // Further undos of the same change are rare, and keep its effect.
      if (input.kind === 'undo' && undos.get(input.undoOf) === 1) effects.delete(input.undoOf)
      return { value: after.value, effects }
    },
    describe: ({ value, effects }) => canonical([value ?? null, Object.fromEntries(effects)]),
  }
}

/** Undefined: the change to undo has not happened yet. */
export function stateAfter(state: EntryState, input: Input): EntryState | undefined {
  if (input.kind === 'read') return state
  const value = input.kind === 'set' ? input.value : valueAfterUndo(state, input.undoOf)
  if (value === missing) return undefined
  const effects = new Map(state.effects).set(input.opId, { before: state.value, after: value })
  return { value, effects }
}

const missing = Symbol('The change to undo is missing')

function valueAfterUndo({ value, effects }: EntryState, undoOf: string): Value | typeof missing {
  const effect = effects.get(undoOf)
  if (effect === undefined) return missing
  return value === effect.after ? effect.before : value
}

export const inputOf = ({ opId, work }: ChangeRecord): Input =>
  'set' in work ? { kind: 'set', opId, value: work.set } : { kind: 'undo', opId, undoOf: work.undoOf }
