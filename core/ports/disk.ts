// Port of the file system, so that tests can make each call fail.

export interface FileStatus {
  readonly kind: 'file' | 'folder' | 'other'
  readonly sizeBytes: number
  /** Identifies a file or folder whatever its name; absent where the file system has no such id. */
  readonly id?: string
  /** Permission bits; absent where the file system has none. */
  readonly mode?: number
}

export interface Disk {
  /** Reads the whole file; rejects with a Node error (`ENOENT`, `EACCES`, …) as `fs` does. */
  read(path: string): Promise<Uint8Array>
  /** Returns the status of the path, symbolic links followed; null if nothing is there. */
  status(path: string): Promise<FileStatus | null>
  /** Returns the path with every symbolic link in it followed. */
  realPath(path: string): Promise<string>
  /** Returns the names in a folder, sorted by code unit. */
  list(path: string): Promise<readonly string[]>
  /** Creates or truncates the file, writes everything, and flushes it to the medium. */
  write(path: string, bytes: Uint8Array, options: { readonly mode: number }): Promise<void>
  /** Like `write`, but completely or not at all. Returns false when the path already exists. */
  create(path: string, bytes: Uint8Array, options: { readonly mode: number }): Promise<boolean>
  /** Opens a file for appending; the opener closes it. */
  append(path: string, options: { readonly mode: number }): Promise<Appender>
  rename(from: string, to: string): Promise<void>
  /** Removes a file; a missing one is not an error. */
  remove(path: string): Promise<void>
  createFolder(path: string): Promise<void>
  /** Makes renames and removals in this folder durable. */
  flushFolder(path: string): Promise<void>
}

export interface Appender {
  write(bytes: Uint8Array): Promise<void>
  flush(): Promise<void>
  close(): Promise<void>
}

/** True for a Node error with one of these codes (`ENOENT`, …). */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code)
}
