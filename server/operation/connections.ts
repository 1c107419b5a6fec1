// Storages that documents are imported from, as the operator registered them. Opened by `server/imports`.

/** File of a connection, as a client names it. */
export interface ConnectionFile {
  readonly key: string
  /** Version id at the storage; null = the newest. */
  readonly revision: string | null
}

/** File that was opened. Its bytes are read once, while `take` runs. */
export interface OpenedFile {
  /** Reading `bytes` fails if it was wrong. */
  readonly sizeBytes: number
  /** Identity of the content at the storage: equal tags mean equal bytes. Null if the storage has none. */
  readonly tag: string | null
  readonly bytes: AsyncIterable<Uint8Array>
}

export interface ReadLimits {
  readonly sizeBytesMax: number
  /** Deadline of the whole transfer, in milliseconds. */
  readonly totalMs: number
  readonly signal: AbortSignal
}

export interface Connection {
  readonly id: string
  readonly type: 'filesystem' | 's3'
  /** Decides from the name alone, without asking the storage. */
  allows(file: ConnectionFile): boolean
  /**
   * Opens a file that is allowed. Throws `SourceRefused` if there is none, `UpstreamFailed` if a later attempt may
   * succeed, `ImportRefused` for a file that is too large, and whatever `take` throws.
   */
  read<Result>(file: ConnectionFile, limits: ReadLimits, take: (opened: OpenedFile) => Promise<Result>): Promise<Result>
}

export interface Connections {
  /** Returns the connection if the tenant (public id) may use it. */
  find(id: string, tenantId: string): Connection | undefined
  /** Returns the most similar name of a connection that the tenant may use. */
  nearest(id: string, tenantId: string): string | undefined
  close(): void
}
