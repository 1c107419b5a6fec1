// Limits of one analysis. They are counts and not times, so that equal bytes give equal results.

export const analysisLimits = {
  /** Findings in an answer; more set `complete: false`. */
  findingsMax: 1_000,
  /** Objects that are searched for references to changed objects. */
  objectsMax: 2_000_000,
  /** Depth of the field tree. */
  depthMax: 64,
  /** Number of times that the field tree may lead to one object. */
  visitsMax: 16,
  /** Intermediate revisions that are judged because a signature covers them. */
  replayedRevisionsMax: 64,
  /** Length in bytes of an appearance whose text is read. */
  appearanceBytesMax: 1024 * 1024,
  /** Length of XMP in bytes. */
  metadataBytesMax: 4 * 1024 * 1024,
} as const
