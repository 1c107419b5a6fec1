// Meaning of the exit codes. A run that did not do what was requested never ends with `done`.

export const exitCode = {
  /** The work is done. Resources that only wait are listed and count as success. */
  done: 0,
  failed: 1,
  /** `plan --detailed-exitcode` or `sync --check` found something to do. */
  changes: 2,
  /** Some changes failed or were skipped, and others were done. `session run`: the session waits for an answer. */
  partial: 3,
  /**
   * `documents verify`: there is no signature, or one is not intact, was followed by forbidden changes, or is not
   * trusted by the named roots.
   */
  unverified: 4,
  /** The command line is wrong, or consent is missing and there is no terminal to ask on. */
  usage: 64,
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCode)[keyof typeof exitCode]
