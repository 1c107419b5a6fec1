// The built document server as a child process, with its data folder, and the check of that folder after it was stopped.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { agents, program } from '../cli/program.js'
import { Client } from '../server/support/client.js'

export interface BuiltServer {
  readonly api: Client
  readonly pid: number
  /** Reason why the process has ended; undefined while it runs. */
  ended(): string | undefined
  /** Lines of the log at level error so far. */
  errors(): readonly string[]
  /** Stops the server, checks its data folder and returns the findings, an unclean exit included. */
  close(): Promise<readonly string[]>
}

export interface BuiltServerOptions {
  readonly folder: string
  readonly threads?: number
  /** Further arguments of `agents serve`. */
  readonly options?: readonly string[]
}

const logLinesMax = 1000

export async function startBuiltServer({
  folder,
  threads = 2,
  options = [],
}: BuiltServerOptions): Promise<BuiltServer> {
  const serve = ['serve', '--json', '--port', '0', '--data', folder, '--threads', String(threads)]
  const child = spawn(process.execPath, [program, ...serve, '--log-level', 'error', ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // docs/operations.md tells operators to set this variable.
    env: { PATH: process.env['PATH'], MALLOC_ARENA_MAX: '2' },
  })
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  let end: string | undefined
  const exited = once(child, 'exit').then(([code, signal]) => {
    process.off('exit', kill)
    end = signal === null ? `exit code ${code}` : `signal ${signal}`
    return { code, signal }
  })
  const errors: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (errors.length < logLinesMax) errors.push(line)
  })
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    exited.then(() => Promise.reject(new Error(`The server did not start: ${end}\n${errors.join('\n')}`))),
  ])
  const { url, apiToken } = JSON.parse(line)
  return {
    api: new Client(url, apiToken),
    pid: child.pid ?? 0,
    ended: () => end,
    errors: () => errors,
    async close() {
      child.kill('SIGTERM')
      const { code } = await exited
      const checked = await agents(['serve', '--check', '--data', folder], { folder })
      return [
        ...(code === 0 ? [] : [`the server ended with ${end}`]),
        ...(checked.code === 0 ? [] : [`serve --check ended with ${checked.code}: ${checked.stdout}${checked.stderr}`]),
      ]
    },
  }
}

/** Resident memory in bytes; 0 if the process has ended. */
export function residentBytes(pid: number): number {
  return statusOf(pid, 'VmRSS') * 1024
}

export const threadsOf = (pid: number): number => statusOf(pid, 'Threads')

/** Number of open file descriptors; 0 if the process has ended. */
export function openFiles(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return 0
  }
}

function statusOf(pid: number, name: string): number {
  try {
    const [, value = '0'] =
      new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(value)
  } catch {
    return 0
  }
}
