// Members that are written together, because one entry of the file contains them all or depends on them.
import type { PDFObject } from 'mupdf'
import type { AnnotationRef } from '../../contract/annotation-ref.js'
import type { Target } from '../entries.js'
import type { Siblings } from '../reading/annotation-source.js'
import type { AnnotationEntry } from '../reading/page-annotations.js'

export interface WrittenMembers extends Target {
  readonly page: WrittenPage
}

/** Page of the annotation, for members that refer to other annotations. */
interface WrittenPage {
  readonly siblings: Siblings
  /** Finds an annotation. Throws `NotFound`. */
  find(ref: AnnotationRef): AnnotationEntry
  /** Declares that these annotations were written. */
  changed(...objects: readonly PDFObject[]): void
}

export interface MemberGroup<State> {
  readonly members: readonly (keyof State & string)[]
  /**
   * Writes the members. `state`: annotation after the write. Declared as a method, so that groups of all subtypes fit
   * into one table.
   */
  write(state: State, written: WrittenMembers): void
}

export const group = <State>(
  members: readonly (keyof State & string)[],
  write: (state: State, written: WrittenMembers) => void,
): MemberGroup<State> => ({ members, write })
