// Opens a link in the browser of a desktop.
import { spawn } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Context } from '../terminal/context.js'
import { isTerminal } from '../terminal/context.js'

/** Time in which the browser reads the page that leads to the link. */
const readWithinMs = 5_000

/** True on a desktop whose user waits for the command. */
export function hasDesktop({ env, stdout }: Context, platform = process.platform): boolean {
  if (!isTerminal(stdout) || env['CI'] || env['SSH_CONNECTION']) return false
  return platform !== 'linux' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY'])
}

/**
 * Starts the browser, and does nothing if there is none. The link may contain a token, and arguments of programs are
 * visible to other users: the browser gets the path of a private file that leads to the link.
 */
export async function openInBrowser(link: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'steward-open-'))
  try {
    await chmod(folder, 0o700)
    const page = join(folder, 'open.html')
    const address = link.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
    await writeFile(page, `<!doctype html><meta http-equiv="refresh" content="0;url=${address}">`, { mode: 0o600 })
    const [program = '', ...words] = openers[process.platform] ?? ['xdg-open']
    const child = spawn(program, [...words, pathToFileURL(page).href], { stdio: 'ignore', detached: true })
    child.on('error', () => {}) // The link was printed.
    child.unref()
    await setTimeout(readWithinMs)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}
