// Meaning of the exit codes. A run that did not do what was requested never ends with `done`.

export const exitCode = {
  /** Done. Resources that only wait are listed and count as success. */
  done: 0,
  failed: 1,
  /** `plan --detailed-exitcode` or `sync --check` found something to do. */
  changes: 2,
  /** Some changes failed or were skipped, and others were done. */
  partial: 3,
  /** `documents verify`: a signature is not intact, not permitted to have been changed, or not trusted; or there is none. */
  unverified: 4,
  /** The command line is wrong, or consent is missing and there is no terminal to ask on. */
  usage: 64,
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCode)[keyof typeof exitCode]
