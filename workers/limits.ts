// Limits of the workers in one table, each with its unit. Those that an operator may change are defaults of pool
// options; the others are properties of the PDF engine.

export const limits = {
  /** Maximum number of waiting requests of one tenant, for each worker; another one is refused at once. */
  queuedTasksMax: 64,
  /** Number of full queues above which a tenant with less than its share of the whole queue is favoured. */
  fullQueuesMax: 8,
  /** Maximum number of parties whose used time and job durations are remembered. */
  debtorsMax: 1_000,
  /** Seconds in `Retry-After` for clients that met a full queue, or whose document broke a thread. */
  retryAfterSeconds: 2,
  /** Delay between two attempts to start a thread. */
  threadRestartMs: 1_000,
  /** Time within which a thread must load its engine. */
  threadStartMs: 20_000,
  /**
   * A task that runs longer than this while others wait continues in the background, and its worker gets a new thread
   * for them.
   */
  slowTaskMs: 1_000,
  /** Limit for the same, if a waiting task belongs to a tenant, token or share that runs fewer tasks at the moment. */
  yieldMs: 100,
  /** Maximum number of such background tasks per worker. */
  overtimePerWorkerMax: 2,
  /** Milliseconds after the last work of a second tenant, token or share during which long work is deferred. */
  sharedForMs: 10_000,
  /** Factor by which elapsed time may exceed a deadline, because deadlines count processor time. */
  deadlineElapsedFactor: 2,
  /** A trivial job that takes longer than this shows that the pool is stuck. */
  probeMs: 5_000,
  /** Maximum WebAssembly memory of one thread: a file that needs more cannot be read. */
  engineBytesMax: 1024 * 1024 * 1024,
  /** WebAssembly memory never shrinks: above this the thread is replaced. */
  heapBytesMax: 512 * 1024 * 1024,
  /**
   * Number of tasks after which a thread is replaced regardless of its memory: minutes of edits, so that compiled
   * code pays off.
   */
  threadTasksMax: 50_000,
  /**
   * Number of failures on one page (or of one job on a document) after which it is quarantined, and the duration of the
   * quarantine.
   */
  strikesMax: 2,
  quarantineMs: 10 * 60 * 1000,
  /** Maximum number of pages whose failures are remembered. */
  strikeEntriesMax: 10_000,
  /** Maximum number of open documents that a thread caches, and of bytes of their files. */
  hotDocumentsMax: 64,
  hotDocumentBytesMax: 1024 * 1024 * 1024,
  /** Interval at which a thread closes open documents whose files were removed. */
  removedFilesIntervalMs: 10_000,
  /** Maximum offset of the PDF header, as readers accept in practice. */
  headerSearchBytes: 1024,
  /** Maximum number of pages of one document; a page tree that claims more is cut there. */
  pagesMax: 50_000,
  /** Maximum number of objects searched for pages that no page tree lists. */
  strayObjectsMax: 100_000,
  /** Maximum number of objects loaded to locate the damage of a file. */
  repairedObjectsMax: 1_000_000,
  /**
   * Maximum number of objects, of their entries and of bytes of streams that are copied with pages into another
   * document.
   */
  copiedObjectsMax: 500_000,
  copiedEntriesMax: 10_000_000,
  copiedBytesMax: 256 * 1024 * 1024,
  /** Maximum pages and bytes of a PDF that is inserted into another: every byte becomes part of a layer. */
  insertedPagesMax: 2_000,
  insertedBytesMax: 64 * 1024 * 1024,
  /** Maximum number of revisions in a chain of `/Prev`. */
  revisionsMax: 1_000,
  /**
   * Highest object number: the limit of readers (ISO 32000-1, C.2, and the engine's own limit), less some room for a
   * change.
   */
  objectNumberMax: 8_000_000,
  /** Maximum of any written number, above all coordinates: PDF readers misread larger ones, or fail on them. */
  numberMax: 1_000_000_000,
  /** Maximum depth of a walk over nested PDF objects. */
  depthMax: 64,
  /** Maximum number of pixels of one picture. */
  pixelsMax: 40_000_000,
  /** Maximum length of a side of one picture in pixels, determined by WebP. */
  sideMax: 16_383,
  /** Maximum number of appearances of one page that are drawn for one answer, of their pixels and of their bytes. */
  looksMax: 5_000,
  looksPixelsMax: 80_000_000,
  looksBytesMax: 64 * 1024 * 1024,
  /** Number of pixels of appearances that are drawn before they are encoded. */
  looksAtOncePixels: 8_000_000,
  /** Time within which an appearance must be drawn at this width in pixels before it is put on a page. */
  appearanceTrialMs: 2_000,
  appearanceTrialPerMegabyteMs: 100,
  appearanceTrialSide: 1_000,
  /** Width of a thumbnail in pixels; it is narrower where it would become too high. */
  thumbnailWidth: 320,
  thumbnailHeightMax: 640,
  /** Maximum number of UTF-16 units of one page's text. */
  textCharactersMax: 2_000_000,
  /** Maximum size of an attached file that is read. */
  attachedBytesMax: 64 * 1024 * 1024,
  /** Maximum number of UTF-16 units of one member of an annotation that is written: a text, or all texts of rich text. */
  writtenTextCharactersMax: 262_144,
  /** Maximum number of glyphs of one page whose places are answered. */
  glyphsMax: 200_000,
  /** Time after which a slice of a search ends with the page that it is at. */
  searchSliceMs: 400,
  /** Maximum number of matches on one page. */
  pageMatchesMax: 10_000,
  /** Maximum number of hits of marking by content in one change, and time limit of its searches together. */
  markHitsMax: 1_000,
  markSearchMs: 8_000,
  /** Time limit of the search for other occurrences of redacted words. */
  alsoFoundMs: 3_000,
  /** Maximum number of annotations or fields in one answer. */
  itemsMax: 50_000,
  /** Number of list items that are marked as one run: few enough to be changed between two turns of an event loop. */
  runItems: 100,
  /** Maximum number of bytes of one answer in JSON. */
  answerBytesMax: 256 * 1024 * 1024,
} as const

/** The limits that an operator may set, in the form that jobs receive. */
export type JobLimits = Readonly<Record<'pixelsMax' | 'textCharactersMax' | 'glyphsMax' | 'itemsMax', number>>
