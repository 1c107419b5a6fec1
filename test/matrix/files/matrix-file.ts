// Input file of the matrix, generated or existing.

export interface MatrixFile {
  /** Unusual values of a generated file; path of an existing file, relative to its folder. */
  readonly name: string
  readonly password?: string
  /** Expensive to read: only few ops are tried on it. */
  readonly isHostile?: boolean
  bytes(): Promise<Buffer>
}
