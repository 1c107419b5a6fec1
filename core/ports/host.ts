// Port of the machine and its processes, so that tests can simulate another host.

export interface Host {
  /** Host name of the machine. */
  readonly name: string
  /** Id of this process. */
  readonly pid: number
  /**
   * Returns a text that differs between all processes with the same pid, earlier or later. Null if no such process
   * runs; empty if one runs but the system does not report its start.
   */
  processStart(pid: number): Promise<string | null>
}
