// Schema of the outline of a document (ISO 32000-2, 12.3.3).
import { type Static, Type } from 'typebox'
import { Color } from './color.js'
import { LinkTarget } from './link-target.js'
import { Nullable } from './nullable.js'

export const Bookmark = Type.Cyclic(
  {
    Bookmark: Type.Object({
      title: Type.String(),
      /** Where it leads; null = nowhere. */
      target: Nullable(LinkTarget),
      /** True if its children are shown at first. */
      isOpen: Type.Boolean(),
      isBold: Type.Boolean(),
      isItalic: Type.Boolean(),
      color: Nullable(Color),
      children: Type.Array(Type.Ref('Bookmark')),
    }),
  },
  'Bookmark',
)
export type Bookmark = Static<typeof Bookmark>

export const Bookmarks = Type.Object({
  bookmarks: Type.Array(Bookmark),
  /** True if the outline is longer, deeper or more damaged than what is answered. */
  incomplete: Type.Boolean(),
})
export type Bookmarks = Static<typeof Bookmarks>
