// Members that are written together, because one entry of the file holds them all or depends on them.

import type { AnnotatedPage } from '../annotated-page.js'
import type { Target } from '../entries.js'

export interface Written extends Target {
  readonly page: AnnotatedPage
}

export interface MemberGroup<State> {
  readonly members: readonly (keyof State & string)[]
  /** `state`: the annotation as it is to be. A method, so that groups of all subtypes fit into one table. */
  write(state: State, written: Written): void
}

export const group = <State>(
  members: readonly (keyof State & string)[],
  write: (state: State, written: Written) => void,
): MemberGroup<State> => ({ members, write })
