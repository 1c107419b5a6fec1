// Runs the program within the test process, for commands that need no separate process.
import { hash } from 'node:crypto'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { catalogue, runProgram } from '../../cli/program.js'

export interface HereOptions {
  readonly folder: string
  /** Complete environment: variables of the test process are not visible. */
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
  /** True if a process of the built program has the same state, whose hashes it must find again. */
  readonly sharesState?: boolean
}

export interface RunHere {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs the program to its end. */
export async function agentsHere(
  words: readonly string[],
  { folder, env = {}, input = '', sharesState = false }: HereOptions,
): Promise<RunHere> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const written = Promise.all([text(stdout), text(stderr)])
  const code = await runProgram(words, {
    env,
    stdin: Readable.from([input]),
    stdout,
    stderr,
    colorDepth: 1,
    workingFolder: folder,
    version: '0.0.0',
    catalogue,
    ...(sharesState ? {} : { derive: deriveFast }),
  })
  stdout.end()
  stderr.end()
  const [out, err] = await written
  return { code, stdout: out, stderr: err }
}

/** Derives keys fast: the real derivation is slow by design, and would take most of the time of a plan. */
async function deriveFast(secrets: string, salt: string): Promise<Uint8Array> {
  return hash('sha256', `${salt}\n${secrets}`, 'buffer')
}
