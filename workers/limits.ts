// Every bound of the worker half in one table, each with its unit. What an operator may change arrives as options of the
// pool; what is here is either the default of that or a property of the PDF engine.

export const limits = {
  /** Requests of one tenant that wait, for each worker; one more is refused at once. */
  queuedTasksMax: 64,
  /** Tenants whose queues are full at once before a tenant with less than its share of the whole queue is favoured. */
  fullQueuesMax: 8,
  /** Parties remembered for the time they have had, and for how long their jobs take. */
  debtorsMax: 1_000,
  /** Seconds in `Retry-After` for clients that met a full queue, or whose document broke a thread. */
  retryAfterSeconds: 2,
  /** Between two attempts to start a thread. */
  threadRestartMs: 1_000,
  /** A thread that has not loaded its engine by then is given up. */
  threadStartMs: 20_000,
  /** A task that runs longer than this while others wait continues by itself, and its worker gets a new thread for them. */
  slowTaskMs: 1_000,
  /** The same where one waits whose tenant, token or share runs less at the moment. */
  yieldMs: 100,
  /** Such tasks at once, per worker. */
  overtimePerWorkerMax: 2,
  /** Milliseconds after the last work of a second tenant, token or share during which long work is deferred. */
  sharedForMs: 10_000,
  /** Deadlines count processor time; elapsed time may be as many times as long. */
  deadlinePatience: 2,
  /** A trivial job that takes longer than this means that the pool is stuck. */
  probeMs: 5_000,
  /** WebAssembly memory of one thread: what a file needs more for cannot be read. */
  engineBytesMax: 1024 * 1024 * 1024,
  /** WebAssembly memory never shrinks: above this the thread is replaced. */
  heapBytesMax: 512 * 1024 * 1024,
  /** Tasks after which a thread is replaced, whatever its memory says: minutes of edits, so that compiled code pays off. */
  threadTasksMax: 50_000,
  /** Failures on one page (or of one job on a document) after which it is left alone, and for how long. */
  strikesMax: 2,
  quarantineMs: 10 * 60 * 1000,
  /** Pages remembered for their failures. */
  strikeEntriesMax: 10_000,
  /** Open documents a thread keeps, by number and by the size of their files. */
  hotDocumentsMax: 64,
  hotDocumentBytesMax: 1024 * 1024 * 1024,
  /** Maximum offset of the PDF header, as readers accept in practice. */
  headerSearchBytes: 1024,
  /** Pages of one document; a page tree that claims more is cut there. */
  pagesMax: 50_000,
  /** Objects that are looked at for pages which no tree leads to. */
  strayObjectsMax: 100_000,
  /** Maximum number of objects loaded to locate the damage of a file. */
  repairedObjectsMax: 1_000_000,
  /** Objects, entries of theirs and bytes of streams that are copied with pages into another document. */
  copiedObjectsMax: 500_000,
  copiedEntriesMax: 10_000_000,
  copiedBytesMax: 256 * 1024 * 1024,
  /** Pages and bytes of a PDF that is inserted into another: every byte becomes part of a layer. */
  insertedPagesMax: 2_000,
  insertedBytesMax: 64 * 1024 * 1024,
  /** Revisions a chain of `/Prev` may have. */
  revisionsMax: 1_000,
  /** The highest object number: what readers take (ISO 32000-1, C.2, and the engine's own bound), with room for a change. */
  objectNumberMax: 8_000_000,
  /** Any number a write may give, points above all: readers of PDF take larger ones for others, or fail on them. */
  numberMax: 1_000_000_000,
  /** Depth of a walk over nested PDF objects. */
  depthMax: 64,
  /** Pixels of one picture. */
  pixelsMax: 40_000_000,
  /** Longest side of one picture: WebP cannot hold more. */
  sideMax: 16_383,
  /** An appearance must be drawn within this time, on so many pixels across, before it is put on a page. */
  appearanceTrialMs: 2_000,
  appearanceTrialPerMegabyteMs: 100,
  appearanceTrialSide: 1_000,
  /** Pixels: the width of a thumbnail, which is narrower where it would become too high. */
  thumbnailWidth: 320,
  thumbnailHeightMax: 640,
  /** UTF-16 units of one page's text. */
  textCharactersMax: 2_000_000,
  /** Inspection for further places of words that were redacted. */
  alsoFoundMs: 3_000,
  /** Annotations or fields of one answer. */
  itemsMax: 50_000,
  /** Items of a list that are sent as one run: few enough to be changed between two turns of an event loop. */
  runItems: 100,
  /** Bytes of one answer in JSON. */
  answerBytesMax: 256 * 1024 * 1024,
} as const

/** The limits that an operator may set, as jobs see them. */
export type JobLimits = Readonly<Record<'pixelsMax' | 'textCharactersMax' | 'itemsMax', number>>
