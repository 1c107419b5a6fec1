// Facts about the pages of a version recorded at ingest: page keys, and the object numbers reserved for inline
// annotations, so that `base:N` names the same annotation in every layer.
import { type Static, Type } from 'typebox'
import { large } from './large-values.js'

const ObjectNumber = Type.Integer({ minimum: 1 })

export const PageFacts = Type.Object({
  /** Facts in display order. */
  pages: Type.Array(
    Type.Object({
      objectNumber: ObjectNumber,
      inlineAnnotations: Type.Array(
        Type.Object({
          /** Position in the page's `/Annots` of the uploaded file. */
          baseIndex: Type.Integer({ minimum: 0 }),
          /** Object number that it gets when a layer first changes it. */
          objectNumber: ObjectNumber,
        }),
      ),
    }),
  ),
})
export type PageFacts = Static<typeof PageFacts>

export const PageFactsRow = large(PageFacts)
export type PageFactsRow = Static<typeof PageFactsRow>
