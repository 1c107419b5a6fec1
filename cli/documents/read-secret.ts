// Reads a secret from its environment variable, from the terminal without echo, or from the first line of
// stdin. Never from the arguments, which every process of the machine can read.
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
  throw documentsProblem('documents.no-secret', { detail: `Neither stdin nor ${variable} holds one.` })
}

const firstLine = (input: string): string => input.split(/\r?\n/, 1)[0] ?? ''
