// Limits of reading signatures, each with its unit. A file beyond one of them is refused.

export const readingLimits = {
  /** Maximum number of fields and widgets of one revision, and of all revisions of a file. */
  fieldNodesMax: 50_000,
  allFieldNodesMax: 500_000,
  /** Maximum depth of the tree of fields. */
  fieldDepthMax: 32,
  /** Maximum number of pages that are searched for the page of a widget. */
  pagesMax: 10_000,
  pageDepthMax: 64,
  /** Maximum number of elements of lists in signatures: names of fields, reasons, references. */
  listMax: 10_000,
  /** Bytes that are read at once for a digest. */
  pieceBytes: 1024 * 1024,
} as const
