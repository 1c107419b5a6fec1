// Explains why a command failed. Mistakes and refusals get an explanation; anything else is reported as a bug.

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

/** True if the failure is a mistake on the command line, which has an exit code of its own. */
export function isUsageMistake(error: unknown): boolean {
  return error instanceof UsageProblem || isOptionRefusal(error)
}

/** True for clipanion's error about a value that an option does not accept. */
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
