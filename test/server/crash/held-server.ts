// Runs a document server in a child process, and clients against it, until their work is done or the server blocks at the
// given call and is killed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { childProgram } from '../../support/child-process.js'
import { builtThread } from '../../support/worker-thread.js'
import { Client } from '../support/client.js'

export interface Run {
  /** Names of answered requests, in order. */
  readonly reported: readonly string[]
  /** Number of calls of the store and the file system before the first request, and at the end. */
  readonly calls: { readonly first: number; readonly last: number }
}

export type Work = (api: Client, say: (line: string) => void) => Promise<void>

const program = childProgram(new URL('server-child.ts', import.meta.url))
const thread = (await builtThread()).href

export interface Spawned {
  readonly api: Client
  readonly pid: number
  /** Number of calls of the store and the file system before the first request. */
  readonly calls: number
  /** Output of the process so far. */
  output(): string
  /** Sends the signal and resolves when the process has ended. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

/** `hold`: number of the call to block at, and `before`, `during` or `after` it. Default: it does not block. */
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

/** `hold`: as above; the process ends at that call. */
export async function runStopped(folder: string, work: Work, ...hold: readonly string[]): Promise<Run> {
  const { api, calls: first, output, end } = await spawnServer(folder, ...hold)
  const written: string[] = []
  try {
    await work(api, (line) => written.push(line))
  } catch (error) {
    // The connection broke because the server was killed; any other error fails the test.
    if (!output().includes('held\n')) throw error
  }
  await end('SIGTERM')
  const last = output().includes('held\n') ? 0 : JSON.parse(output().split('\n')[1] ?? '').calls
  return { reported: written, calls: { first, last } }
}
