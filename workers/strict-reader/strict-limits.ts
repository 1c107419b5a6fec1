// Limits of the strict reader. A file that exceeds one is refused, not read in part.

export const strictLimits = {
  /** Maximum offset of the header in bytes, as readers accept in practice. */
  headerSearchBytes: 1024,
  /** Maximum distance of the last `startxref` from the end of the file: readers search no further, and repair the file. */
  tailBytes: 1024,
  /** Maximum white space and comments between two tokens in bytes. */
  spaceBytes: 64 * 1024,
  /** Maximum number of revisions, and of cross-reference sections. */
  sectionsMax: 2_000,
  /** Maximum `/Size`; object numbers are below it. */
  objectNumbersMax: 8_388_608,
  /** Maximum number of object numbers that one revision lists. */
  listedMax: 2_000_000,
  generationMax: 65_535,
  /** Maximum number of subsections of one cross-reference section. */
  subsectionsMax: 1_000_000,
  /** Maximum nesting depth of arrays and dictionaries. */
  depthMax: 128,
  /** Maximum number of values in one object. */
  valuesMax: 2_000_000,
  /** Maximum length of one object in bytes, without the data of a stream. */
  objectBytesMax: 64 * 1024 * 1024,
  /** Maximum length of a name, number or keyword in bytes. */
  tokenBytesMax: 4_096,
  /** Maximum number of digits of an integer: larger ones are not exact. */
  integerDigitsMax: 15,
  /** Maximum number of references that are followed one after another. */
  referencesMax: 32,
  /** Maximum number of references in all objects of a revision. */
  edgesMax: 16_000_000,
  /** Maximum number of filters of one stream. */
  filtersMax: 8,
  /** Maximum number of bytes that one stream is decoded to, in each of its filters. */
  decodedBytesMax: 128 * 1024 * 1024,
  /** Maximum number of objects in one object stream. */
  streamObjectsMax: 1_000_000,
  /** Cached bytes of decoded object streams, and of other objects. */
  cachedStreamBytes: 32 * 1024 * 1024,
  cachedObjectBytes: 4 * 1024 * 1024,
  /** Size in bytes of one read, and number of cached pieces of that size. */
  pieceBytes: 64 * 1024,
  piecesMax: 32,
} as const
