// All limits of the declaration stage, so that hostile or mistaken input costs little.

export const declarationLimits = {
  /** Maximum size of agents.yaml in bytes; larger files are refused before parsing. */
  fileBytesMax: 2 * 1024 * 1024,
  /** Depth of nested maps and lists, aliases followed. */
  depthMax: 64,
  /** Maximum number of nodes read by following aliases, in the whole file. */
  aliasNodesMax: 100_000,
  /** Maximum number of bytes parsed in all passes over a file with unquoted variables inside `{ }` or `[ ]`. */
  repairBytesMax: 4 * 1024 * 1024,
  dotenvBytesMax: 1024 * 1024,
  /** Maximum size in bytes of a text file named by `instructions`. */
  textBytesMax: 1024 * 1024,
  nameLengthMax: 128,
  /** Length of a file name on common file systems: without a name, that of the folder is used. */
  projectNameLengthMax: 255,
  /** Minimum length of a variable's value that is masked, in characters. */
  maskedLengthMin: 4,
  /** Maximum number of problems reported; the rest is counted. */
  diagnosticsMax: 500,
  /** Maximum number of characters of the explanation, and of the fix, of a problem. */
  messageMax: 2_000,
  /** Maximum number of characters shown of a source line. */
  sourceLineMax: 500,
  /** Local files and folders read at the same time. */
  readsAtOnceMax: 16,
} as const

/** Limits of local files and folders. Providers have lower limits of their own. */
export const sourceLimits = {
  filesMax: 2_000,
  foldersMax: 2_000,
  fileBytesMax: 256 * 1024 * 1024,
  folderBytesMax: 256 * 1024 * 1024,
  depthMax: 16,
} as const
