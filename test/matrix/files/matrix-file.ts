// Input file of the matrix, made or given.

export interface MatrixFile {
  /** Unusual values of a made file; path of a given file, relative to its folder. */
  readonly name: string
  readonly password?: string
  /** Expensive for readers: only few ops are tried on it. */
  readonly isHostile?: boolean
  bytes(): Promise<Buffer>
}
