// Every limit of the declaration stage in one table, so that hostile or mistaken input costs little.

export const declarationLimits = {
  /** Maximum size of agents.yaml in bytes; larger files are refused before parsing. */
  fileBytesMax: 2 * 1024 * 1024,
  /** Maps and lists within each other, aliases followed. */
  depthMax: 64,
  /** Nodes read by following aliases, in the whole file. */
  aliasNodesMax: 100_000,
  /** Parsed in all passes over a file with unquoted variables inside `{ }` or `[ ]`. */
  repairBytesMax: 4 * 1024 * 1024,
  dotenvBytesMax: 1024 * 1024,
  /** Maximum size in bytes of a text file named by `instructions`. */
  textBytesMax: 1024 * 1024,
  nameLengthMax: 128,
  /** Characters of a variable's value below which it is not masked. */
  maskedLengthMin: 4,
  /** Problems told; the rest is counted. */
  diagnosticsMax: 500,
  /** Characters of a source line that are shown. */
  sourceLineMax: 500,
  /** Local files and folders looked at at once. */
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
