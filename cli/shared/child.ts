// Runs another program in the place of this one: same terminal, signals passed on, its exit code for ours.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { UsageProblem } from '../line/usage.js'

const passedOn = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** What shells answer for a program that a signal ended: this plus the signal's number. */
const endedBySignal = 128

export interface ChildOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Ctrl-C on a terminal reaches the child by itself; passing it on would make it two. */
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
