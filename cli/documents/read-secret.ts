// Reads a secret from its environment variable, from the terminal without echo, or from the first line of stdin, but
// never from the arguments, which every process of the machine can read.
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import type { Context } from '../terminal/context.js'
import { askHidden, canAsk } from '../terminal/questions.js'
import { documentsProblem } from './problems.js'

export interface SecretRequest {
  readonly variable: string
  readonly question: string
}

export async function readSecret(context: Context, { variable, question }: SecretRequest): Promise<string> {
  const { env, stdin } = context
  const secret = env[variable] || (canAsk(context) ? await askHidden(context, question) : firstLine(await text(stdin)))
  if (secret) return secret
  throw documentsProblem('documents.no-secret', { detail: `Neither stdin nor ${variable} contains one.` })
}

/** Returns the first line of a file: a secret for machines without a terminal. */
export async function firstLineOf(path: string): Promise<string> {
  try {
    return firstLine(await readFile(path, 'utf8'))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw documentsProblem('documents.no-secret', { detail: `${path} cannot be read: ${reason}.`, cause: error })
  }
}

const firstLine = (input: string): string => input.split(/\r?\n/, 1)[0] ?? ''
