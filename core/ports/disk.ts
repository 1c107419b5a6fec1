// Port of the file system, so that tests can make each call fail.

export interface FileStatus {
  readonly kind: 'file' | 'folder' | 'other'
  readonly sizeBytes: number
  /** Id of a file or folder, independent of its name; absent if the file system has none. */
  readonly id?: string
  /** Permission bits; absent if the file system has none. */
  readonly mode?: number
  readonly owner?: Owner
  /** Number of names of the file on its file system, more than one with hard links. */
  readonly names?: number
}

/** Numbers of a user and a group. */
export interface Owner {
  readonly user: number
  readonly group: number
}

/** Who may do what with a written file. */
export interface Access {
  /** Permission bits; the umask takes some of them away unless `owner` or `isExact` is given. */
  readonly mode: number
  readonly isExact?: boolean
  /** Owner the file gets if the system permits it. One that cannot get the group gives its own group what everybody has. */
  readonly owner?: Owner
}

export interface Disk {
  /** Reads the whole file. Rejects with a Node error (`ENOENT`, `EACCES`, …) as `fs` does. */
  read(path: string): Promise<Uint8Array>
  /** Returns the status of the path, following symbolic links; null if nothing exists there. */
  status(path: string): Promise<FileStatus | null>
  /** Returns the path with every symbolic link in it followed. */
  realPath(path: string): Promise<string>
  /**
   * Returns where a path leads that is a symbolic link, also if nothing exists there; the path itself if it is none.
   */
  linkTarget(path: string): Promise<string>
  /** Returns the names in a folder, sorted by code unit. */
  list(path: string): Promise<readonly string[]>
  /**
   * Creates or truncates the file, writes everything, and flushes it to the medium. Rejects for a symbolic link, which would
   * lead to another file.
   */
  write(path: string, bytes: Uint8Array, access: Access): Promise<void>
  /** Same as `write`, but the file appears completely or not at all. Returns false if the path already exists. */
  create(path: string, bytes: Uint8Array, access: Access): Promise<boolean>
  /** Opens a file for appending; the opener closes it. Rejects for a symbolic link. */
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
