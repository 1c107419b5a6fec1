// Runs the program within the test process, for commands that need no separate process.
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { catalogue, runProgram } from '../../cli/program.js'

export interface HereOptions {
  readonly folder: string
  /** Complete environment: variables of the test process are not visible. */
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
}

export interface RunHere {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs the program to its end. */
export async function agentsHere(
  words: readonly string[],
  { folder, env = {}, input = '' }: HereOptions,
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
  })
  stdout.end()
  stderr.end()
  const [out, err] = await written
  return { code, stdout: out, stderr: err }
}
