// Takes what lies under redaction annotations out of a document for good (shapes, section 9).
import { type Static, Type } from 'typebox'
import { AnnotationRef } from '../annotation-ref.js'
import { CountFromOne, CountFromZero } from '../numbers.js'
import { PageRef } from '../page-ref.js'
import { FlattenStatus } from './flatten.js'
import { MutationMeta } from './mutation-meta.js'
import { NamedPages } from './named-pages.js'
import type { OpShape } from './op-shape.js'
import { strict } from './strict.js'

/** Where the words that were taken out stand too. */
export const places = [
  'pages',
  'annotations',
  'form',
  'metadata',
  'bookmarks',
  'page-labels',
  'articles',
  'attachments',
  'names',
  'scripts',
  'layers',
  'alternate-text',
] as const

/** A member of ours: how often, never what. */
export const AlsoFound = Type.Object({
  where: Type.Enum(places),
  /** Of places that are on a page. */
  page: Type.Optional(PageRef),
  count: CountFromOne,
})
export type AlsoFound = Static<typeof AlsoFound>

/**
 * Content that lay partly under a mark and could not be divided: drawings, pattern fills, shadings, content under a
 * soft mask, pictures.
 */
export const removedKinds = ['drawings', 'patterns', 'shadings', 'masked', 'pictures'] as const
export type RemovedKind = (typeof removedKinds)[number]

/** Extension of the published contract: number of objects removed whole from the page. */
export const RemovedWholeOnPage = Type.Object({
  page: PageRef,
  kind: Type.Enum(removedKinds),
  count: CountFromOne,
})

export const RedactionsApply = {
  op: Type.Object(
    {
      type: Type.Literal('redactions.apply') /** Neither member: every page. */,
      pages: Type.Optional(NamedPages),
      annotations: Type.Optional(Type.Array(AnnotationRef, { minItems: 1, maxItems: 10_000 })),
    },
    strict,
  ),
  item: Type.Object({
    type: Type.Literal('redactions.apply'),
    scope: Type.Union([
      Type.Object({ pages: Type.Array(PageRef) }),
      Type.Object({ annotations: Type.Array(AnnotationRef) }),
    ]),
    results: Type.Array(
      Type.Object({
        page: PageRef,
        status: FlattenStatus,
        /** The marks themselves, what lay under them, and what belonged to that. */
        removedAnnotationCount: CountFromZero,
      }),
    ),
    removedAnnotationCount: CountFromZero,
    removedWhole: Type.Array(RemovedWholeOnPage),
    alsoFound: Type.Array(AlsoFound),
    /** False: the document is too large to be searched whole in the time there is; what was marked is gone all the same. */
    alsoFoundComplete: Type.Boolean(),
    meta: MutationMeta,
  }),
} as const satisfies OpShape
