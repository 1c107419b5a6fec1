// Removes everything under redaction annotations from a document, irreversibly.
import { type Static, Type } from 'typebox'
import { AnnotationRef } from '../annotation-ref.js'
import { FlattenStatus } from '../flatten.js'
import { MutationMeta } from '../mutation-meta.js'
import { NamedPages } from '../named-pages.js'
import { CountFromOne, CountFromZero } from '../numbers.js'
import { PageBox } from '../page-box.js'
import { PageRef } from '../page-ref.js'
import { opContract } from './op-contract.js'

/** Places where the removed words also occur. */
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

/** Extension of the published contract: number of occurrences, never the words. */
export const AlsoFound = Type.Object({
  where: Type.Enum(places),
  /** Page, for places that are on a page. */
  page: Type.Optional(PageRef),
  count: CountFromOne,
})
export type AlsoFound = Static<typeof AlsoFound>

/**
 * Content that was partly under a mark and could not be divided: drawings, pattern fills, shadings, content under a
 * soft mask, pictures, and characters of which a mark covers less than half,
 * or that share a glyph with marked ones. Of text beside the marks, alternate text that might say what was removed.
 */
export const removedKinds = [
  'drawings',
  'patterns',
  'shadings',
  'masked',
  'pictures',
  'text',
  'alternate-text',
] as const
export type RemovedKind = (typeof removedKinds)[number]

/** Extension of the published contract: number of objects removed completely from the page. */
export const RemovedWholeOnPage = Type.Object({
  page: PageRef,
  kind: Type.Enum(removedKinds),
  count: CountFromOne,
  /** For text: what no mark was meant for, and the places of its glyphs; the first 100 of the page. */
  characters: Type.Optional(Type.Array(Type.Object({ text: Type.String(), rect: PageBox }))),
})

export const RedactionsApply = opContract({
  type: 'redactions.apply',
  summary: 'Remove what redaction annotations mark from the layer, permanently',
  /** Members that select marks; without both of them, every page is redacted. */
  op: {
    pages: Type.Optional(NamedPages),
    annotations: Type.Optional(Type.Array(AnnotationRef, { minItems: 1, maxItems: 10_000 })),
  },
  item: {
    scope: Type.Union([
      Type.Object({ pages: Type.Array(PageRef) }),
      Type.Object({ annotations: Type.Array(AnnotationRef) }),
    ]),
    results: Type.Array(
      Type.Object({
        page: PageRef,
        status: FlattenStatus,
        /** Number of removed annotations: the marks, annotations under them, and those that belonged to these. */
        removedAnnotationCount: CountFromZero,
      }),
    ),
    removedAnnotationCount: CountFromZero,
    removedWhole: Type.Array(RemovedWholeOnPage),
    alsoFound: Type.Array(AlsoFound),
    /**
     * False if the document was too large to be searched within the time limit, or if a part of it could not be read;
     * the marked content is removed regardless.
     */
    alsoFoundComplete: Type.Boolean(),
    meta: MutationMeta,
  },
  names: { annotations: ({ annotations = [] }) => annotations, pages: ({ pages = [] }) => pages },
  needs: { capabilities: ['doc.pages.modify', 'doc.annotate.modify', 'doc.redact'] },
  protection: 'content',
  carries: 'document',
  isBatchable: false,
  route: {
    methods: ['POST'],
    path: '/redactions/apply',
    auditKind: 'redaction.apply',
    isBodyOptional: true,
  },
})
