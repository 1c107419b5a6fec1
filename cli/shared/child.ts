// Runs another program in place of this one: on the same terminal, with signals forwarded and its exit code returned.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { UsageProblem } from '../line/usage.js'

const passedOn = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** Exit code of a program that was ended by a signal is this number plus the signal's number, as in shells. */
const endedBySignal = 128

export interface ChildOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  /** True if a terminal sends Ctrl-C to the child directly: forwarding it would deliver it twice. */
  readonly sharesTerminal: boolean
}

export async function runChild(words: readonly string[], { env, sharesTerminal }: ChildOptions): Promise<number> {
  const [program = '', ...operands] = words
  const child = spawn(program, operands, { env, stdio: 'inherit' })
  const handlers = passedOn.map((signal) => {
    const handler = () => {
      if (signal !== 'SIGINT' || !sharesTerminal) child.kill(signal)
    }
    process.on(signal, handler)
    return { signal, handler }
  })
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', (error) => reject(cannotStart(program, error)))
      child.once('exit', (code, signal) => resolve(code ?? endedBySignal + (signal ? constants.signals[signal] : 0)))
    })
  } finally {
    for (const { signal, handler } of handlers) process.off(signal, handler)
  }
}

function cannotStart(program: string, { message }: Error): UsageProblem {
  return new UsageProblem('cli.command-not-started', { detail: `"${program}" could not be started: ${message}.` })
}
