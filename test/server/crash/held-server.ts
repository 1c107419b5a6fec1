// Runs a document server in a process of its own and clients against it, until their work is done or the server stops at
// the call it was told to, and is killed there.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { childProgram } from '../../support/child-process.js'
import { builtThread } from '../../support/worker-thread.js'
import { Client } from '../support/client.js'

export interface Run {
  /** What was answered, in order. */
  readonly said: readonly string[]
  /** Calls of the store and the file system when the first request came, and at the end. */
  readonly calls: { readonly first: number; readonly last: number }
}

export type Work = (api: Client, say: (line: string) => void) => Promise<void>

const program = childProgram(new URL('server-child.ts', import.meta.url))
const thread = (await builtThread()).href

/** `hold`: number of the call, and `before`, `during` or `after` it. */
export async function runHeld(folder: string, work: Work, ...hold: readonly string[]): Promise<Run> {
  const child = spawn(process.execPath, [...program, folder, thread, ...hold], { stdio: ['ignore', 'pipe', 'inherit'] })
  const said: string[] = []
  let output = ''
  const started = new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (output.includes('held\n')) child.kill('SIGKILL')
      if (output.includes('}\n')) resolve()
    })
  })
  const closed = once(child, 'close')
  await Promise.race([started, closed])
  const { url, apiToken, calls: first } = JSON.parse(output.split('\n')[0] ?? '')
  try {
    await work(new Client(url, apiToken), (line) => said.push(line))
    child.kill('SIGTERM')
  } catch (error) {
    // Killed under the client's hands; anything else is a failure of the test.
    if (!output.includes('held\n')) throw error
  }
  await closed
  const last = output.includes('held\n') ? 0 : JSON.parse(output.split('\n')[1] ?? '').calls
  return { said, calls: { first, last } }
}
