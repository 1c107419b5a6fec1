// Port of the machine and its processes, so that tests can simulate another host.

export interface Host {
  /** Host name of the machine. */
  readonly name: string
  /** Id of this process. */
  readonly pid: number
  /**
   * Returns a text that distinguishes the process from all others with the same pid, earlier or later. Null when no
   * such process runs; empty when one runs but the system does not report since when.
   */
  processStart(pid: number): Promise<string | null>
}
