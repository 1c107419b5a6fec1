// Writes members of an annotation into its entries, with all members that one entry contains.

import type { PDFObject } from 'mupdf'
import type { Annotation } from '../contract/annotations/annotation.js'
import type { AnnotatedPage } from './annotated-page.js'
import type { SubtypeWriting } from './subtype-work.js'

/** Returns the members that can be changed. Members that determine the shape are written with the drawing. */
export const membersOf = ({ groups, shape }: SubtypeWriting): readonly string[] => [
  ...groups.flatMap(({ members }) => members),
  ...(shape === 'rect' || shape === 'region' ? ['rect'] : shape === 'box' ? ['box'] : []),
]

export function writeMembers(page: AnnotatedPage, { object, state, writing, changed }: MemberWrite): void {
  const written = { ...page.target(object), page }
  for (const group of writing.groups) {
    if (group.members.some((member) => changed.has(member))) group.write(state, written)
  }
}

interface MemberWrite {
  readonly object: PDFObject
  readonly state: Annotation
  readonly writing: SubtypeWriting
  readonly changed: ReadonlySet<string>
}
