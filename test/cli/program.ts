// Runs the built program as a process in a temporary folder.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
export const program = join(root, 'dist/agents.js')

const built = spawnSync(process.execPath, [join(root, 'scripts/build.mjs'), '--if-needed'], { encoding: 'utf8' })
if (built.status !== 0) throw new Error(`the program could not be built:\n${built.stderr}`)

export interface Run {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly folder: string
  /** Variables added to an environment without keys, colours and emulators. */
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
}

export interface Running {
  readonly child: ChildProcess
  /** Output on stdout and stderr so far. */
  readonly seen: { stdout: string; stderr: string }
  readonly ended: Promise<Run>
}

/** Runs the program to its end. */
export function agents(words: readonly string[], options: RunOptions): Promise<Run> {
  return start(words, options).ended
}

export function start(words: readonly string[], { folder, env, input }: RunOptions): Running {
  const child = spawn(process.execPath, [program, ...words], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const seen = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      seen[name] += text
    })
  }
  child.stdin.end(input ?? '')
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, ...seen }))
  return { child, seen, ended }
}

/** Rejects when the program ends without having printed it. */
export function printed({ child, seen, ended }: Running, name: 'stdout' | 'stderr', text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = () => {
      if (seen[name].includes(text)) resolve()
    }
    child[name]?.on('data', look)
    look()
    void ended.then((run) => reject(new Error(`ended with ${run.code} without "${text}": ${run.stderr}`)))
  })
}

export { records, scratchFolder } from './scratch.js'
