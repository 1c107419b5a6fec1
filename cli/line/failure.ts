// What to tell a person when a command throws. A mistake or a refusal is explained; anything else is a bug and says so.

import { type Diagnostic, Problem } from '../../core/diagnostic.js'
import { diagnostic } from './problems.js'
import { UsageProblem } from './usage.js'

export function diagnosticsOf(error: unknown): readonly Diagnostic[] {
  if (error instanceof Problem) return error.diagnostics
  if (error instanceof UsageProblem) return [error.diagnostic]
  if (isOptionRefusal(error)) return [refusedOption(error)]
  if (isSystemError(error)) return [refusedBySystem(error)]
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return [diagnostic('internal.bug', { detail: stack })]
}

/** True where the exit code is the one for usage. */
export function isUsageMistake(error: unknown): boolean {
  return error instanceof UsageProblem || isOptionRefusal(error)
}

/** clipanion's own error for a value that an option does not take. */
function isOptionRefusal(error: unknown): error is Error {
  return error instanceof Error && error.name === 'UsageError'
}

function refusedOption({ message }: Error): Diagnostic {
  return diagnostic('cli.bad-value', { detail: message })
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error
}

function refusedBySystem({ code, message }: NodeJS.ErrnoException): Diagnostic {
  return diagnostic('system.refused', {
    detail: `${message}.`,
    fix: systemFixes[code ?? ''] ?? 'Check the path and its permissions, then run the command again.',
  })
}

const systemFixes: Readonly<Record<string, string>> = {
  ENOSPC: 'Make room on the disk, then run the command again.',
  EROFS: 'Work on a disk that can be written.',
  EADDRINUSE: 'Choose another port with --port; 0 takes any free one.',
}
