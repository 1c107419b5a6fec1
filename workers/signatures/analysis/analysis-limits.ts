// Limits of one analysis. They are counts and not times, so that equal bytes give equal results.

export const analysisLimits = {
  /** Maximum number of findings in an answer; more set `complete: false`. */
  findingsMax: 1_000,
  /** Maximum number of objects that are searched for references to changed objects. */
  objectsMax: 2_000_000,
  /** Maximum depth of the field tree. */
  depthMax: 64,
  /** Number of times that the field tree may lead to one object. */
  visitsMax: 16,
  /** Number of intermediate signed revisions that are judged whole; of more, each step to the next one is. */
  replayedRevisionsMax: 16,
  /** Maximum length in bytes of an appearance whose text is read. */
  appearanceBytesMax: 1024 * 1024,
  /** Maximum length of XMP in bytes. */
  metadataBytesMax: 4 * 1024 * 1024,
} as const
