// Asks a person questions, on a terminal only.
import { type Context, isTerminal } from './context.js'

/** True if stdin and stderr are a terminal. */
export function canAsk({ stdin, stderr }: Context): boolean {
  return isTerminal(stdin) && isTerminal(stderr)
}

/** Returns the trimmed answer; undefined after Ctrl-C or Ctrl-D. Asks on stderr, so that stdout holds results only. */
export async function ask({ stdin, stderr }: Context, question: string): Promise<string | undefined> {
  // The module is imported late, because loading it costs milliseconds that help does not need.
  const { createInterface } = await import('node:readline/promises')
  const gone = new AbortController()
  const dialogue = createInterface({ input: stdin, output: stderr })
  dialogue.once('SIGINT', () => gone.abort())
  dialogue.once('close', () => gone.abort())
  try {
    return (await dialogue.question(question, { signal: gone.signal })).trim()
  } catch (error) {
    if (gone.signal.aborted) return undefined
    throw error
  } finally {
    dialogue.close()
  }
}

/** Asks like `ask`, without echoing what is typed. */
export async function askHidden(context: Context, question: string): Promise<string | undefined> {
  const { Writable } = await import('node:stream')
  context.stderr.write(question)
  const nowhere = new Writable({ write: (_text, _encoding, done) => done() })
  try {
    return await ask({ ...context, stderr: Object.assign(nowhere, { isTTY: true }) }, '')
  } finally {
    context.stderr.write('\n')
  }
}
