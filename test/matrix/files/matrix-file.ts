// A file that the matrix is run over, made or given.

export interface MatrixFile {
  /** Of a made file, all that is unusual about it; of another, its path below its folder. */
  readonly name: string
  readonly password?: string
  /** Costs readers much: few ops are tried on it. */
  readonly isHostile?: boolean
  bytes(): Promise<Buffer>
}
