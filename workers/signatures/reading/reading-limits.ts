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
  /** Bytes that are hashed for all signatures of a file: so many, and so many times the size of the file. */
  digestedBytesMin: 1024 * 1024 * 1024,
  digestedTimes: 32,
  /** Maximum number of bytes in `/Contents` of all signatures, counted again in each revision. */
  contentsBytesMax: 512 * 1024 * 1024,
  /** Maximum number of bytes by which `/Contents` of the last revision exceed the file, because fields share them. */
  sharedContentsBytesMax: 8 * 1024 * 1024,
} as const
