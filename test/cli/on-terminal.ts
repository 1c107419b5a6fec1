// Runs the built program on a terminal, which is created by `script` (util-linux).
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { program } from './program.js'

export interface TerminalSession {
  readonly code: number | null
  readonly screen: string
}

/** Types each answer when its question is on the screen. */
export async function onTerminal(
  words: readonly string[],
  options: {
    readonly folder: string
    readonly env: Readonly<Record<string, string>>
    /** Width of the terminal. */
    readonly columns?: number
    readonly answers: readonly (readonly [question: string, answer: string])[]
  },
): Promise<TerminalSession> {
  const size = options.columns === undefined ? '' : `stty cols ${options.columns}; `
  const line = size + [process.execPath, program, ...words].map((word) => `'${word}'`).join(' ')
  const child = spawn('script', ['--quiet', '--return', '--command', line, '/dev/null'], {
    cwd: options.folder,
    env: { PATH: process.env['PATH'], TERM: 'xterm', ...options.env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const open = [...options.answers]
  let screen = ''
  let read = 0
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text
    const [next] = open
    if (!next) return
    const at = screen.indexOf(next[0], read)
    if (at < 0) return
    read = at + next[0].length
    open.shift()
    child.stdin.write(next[1])
  })
  const [code] = await once(child, 'close')
  return { code, screen }
}
