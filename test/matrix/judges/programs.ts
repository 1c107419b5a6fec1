// Runs external programs in parallel and captures both output channels.
import { spawn } from 'node:child_process'

export interface Statement {
  /** Exit status; null if the program was ended by a signal. */
  readonly status: number | null
  readonly out: Buffer
  readonly complaints: string
}

const timeoutMs = 20_000
const outputBytesMax = 64 * 1024 * 1024

export function run(program: string, args: readonly string[]): Promise<Statement> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: timeoutMs, killSignal: 'SIGKILL' })
    const out: Buffer[] = []
    const complaints: Buffer[] = []
    let bytes = 0
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > outputBytesMax) child.kill('SIGKILL')
      else out.push(chunk)
    })
    child.stderr.on('data', (chunk: Buffer) => complaints.length < 100 && complaints.push(chunk))
    child.on('error', reject)
    child.on('close', (status) =>
      resolve({ status, out: Buffer.concat(out), complaints: Buffer.concat(complaints).toString('utf8') }),
    )
  })
}
