// Writes members of an annotation into its entries, all that an entry holds at once.

import type { PDFObject } from 'mupdf'
import type { Annotation } from '../contract/annotations/annotation.js'
import type { AnnotatedPage } from './annotated-page.js'
import type { SubtypeWriting } from './subtype-work.js'

/** All that can be changed. What says where the shape is, is written with the drawing. */
export const membersOf = ({ groups, shape }: SubtypeWriting): readonly string[] => [
  ...groups.flatMap(({ members }) => members),
  ...(shape === 'rect' ? ['rect'] : shape === 'box' ? ['box'] : []),
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
