// The machine and its processes as the engine sees them, so that a test can be on another host.

export interface Host {
  /** Host name of the machine. */
  readonly name: string
  /** Id of this process. */
  readonly pid: number
  /**
   * Text that tells the process from every other one that had or will get the same pid; null when no such process
   * runs, and empty when one runs but the system does not say since when.
   */
  processStart(pid: number): Promise<string | null>
}
