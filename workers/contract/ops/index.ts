// Contracts of all change ops by type, and the types of ops and items derived from them.
import type { Static } from 'typebox'
import type { AnnotationRef } from '../annotation-ref.js'
import type { SkippedItem } from '../skipped-item.js'
import * as list from './list.js'
import type { OpContract } from './op-contract.js'

type Contract = (typeof list)[keyof typeof list]

/** A change op, by its `type`. */
export type Op = Static<Contract['op']>
export type OpType = Op['type']

type UndoItem<Of> = Of extends { readonly undoItems?: readonly (infer Schema)[] } ? Schema : never

/** Item of an op, or of a step of an undo, by its `type`. */
export type Item = Static<Contract['item']> | Static<UndoItem<Contract>> | Static<typeof SkippedItem>

export const opContracts: readonly (OpContract & { readonly type: OpType })[] = Object.values(list)

const byType: ReadonlyMap<string, OpContract> = new Map(opContracts.map((contract) => [contract.type, contract]))

/** Undefined if there is no such op. */
export const findOpContract = (type: string): OpContract | undefined => byType.get(type)

/** Returns the annotations that an op names. Others that it affects are determined when it is applied. */
export const annotationsNamedIn = (op: Op): readonly AnnotationRef[] =>
  findOpContract(op.type)?.names?.annotations?.(op) ?? []
