// Runs a document server in a process of its own and clients against it, until their work is done or the server stops at
// the call it was told to, and is killed there.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { childProgram } from '../../support/child-process.js'
import { builtThread } from '../../support/worker-thread.js'
import { Client } from '../support/client.js'

export interface Run {
  /** What was answered, in order. */
  readonly reported: readonly string[]
  /** Calls of the store and the file system when the first request came, and at the end. */
  readonly calls: { readonly first: number; readonly last: number }
}

export type Work = (api: Client, say: (line: string) => void) => Promise<void>

const program = childProgram(new URL('server-child.ts', import.meta.url))
const thread = (await builtThread()).href

export interface Spawned {
  readonly api: Client
  readonly pid: number
  /** Calls of the store and the file system until the first request. */
  readonly calls: number
  /** All it has printed. */
  output(): string
  /** Sends the signal and resolves when the process is gone. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

/** `hold`: number of the call, and `before`, `during` or `after` it; without, it stops at none. */
export async function spawnServer(folder: string, ...hold: readonly string[]): Promise<Spawned> {
  const child = spawn(process.execPath, [...program, folder, thread, ...hold], { stdio: ['ignore', 'pipe', 'inherit'] })
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
  const { url, apiToken, calls } = JSON.parse(output.split('\n')[0] ?? '')
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    child.kill(signal)
    await closed
  }
  return { api: new Client(url, apiToken), pid: child.pid ?? 0, calls, output: () => output, end }
}

/** Starts a server and stops it at once; `hold`: as above, also while it starts or stops. */
export async function restart(folder: string, ...hold: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [...program, folder, thread, ...hold], { stdio: ['ignore', 'pipe', 'inherit'] })
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    child.kill(text.includes('held\n') ? 'SIGKILL' : 'SIGTERM')
  })
  await once(child, 'close')
}

/** `hold`: as above; the process ends by itself where it is held. */
export async function runStopped(folder: string, work: Work, ...hold: readonly string[]): Promise<Run> {
  const { api, calls: first, output, end } = await spawnServer(folder, ...hold)
  const written: string[] = []
  try {
    await work(api, (line) => written.push(line))
  } catch (error) {
    // Killed under the client's hands; anything else is a failure of the test.
    if (!output().includes('held\n')) throw error
  }
  await end('SIGTERM')
  const last = output().includes('held\n') ? 0 : JSON.parse(output().split('\n')[1] ?? '').calls
  return { reported: written, calls: { first, last } }
}
