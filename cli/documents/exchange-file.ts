// Files with annotations and values of forms: their media types by extension, and their bytes as the body of a request.
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { isObject, type Json } from '../../core/value/tree.js'
import type { Call } from './client.js'
import { documentsProblem } from './problems.js'

const xfdf = 'application/vnd.adobe.xfdf'

const types: Readonly<Record<string, string>> = {
  '.fdf': 'application/vnd.fdf',
  '.json': 'application/json',
  '.xfdf': xfdf,
}

/** Reads the file. Files of other extensions are sent as XFDF. */
export async function exchangeBody(path: string): Promise<NonNullable<Call['body']>> {
  return { bytes: new Blob([await bytesOf(path)]).stream(), contentType: types[extname(path).toLowerCase()] ?? xfdf }
}

async function bytesOf(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw documentsProblem('documents.no-file', { detail: `${path} cannot be read: ${reason}.`, cause: error })
  }
}

/** Reads a file of values. JSON contains them alone, as they are printed, or under `values`, as they are exported. */
export async function valuesRequest(path: string): Promise<Pick<Call, 'body' | 'json'>> {
  const body = await exchangeBody(path)
  if (extname(path).toLowerCase() !== '.json') return { body }
  const root = parsed(await bytesOf(path))
  // A value is never an object, so that a field may be called `values`.
  return isObject(root) && !isObject(root['values']) ? { json: { values: root } } : { body }
}

/** Returns undefined for text that is no JSON, which the server refuses with a reason. */
function parsed(bytes: Buffer): Json | undefined {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

interface Skipped {
  readonly reason: string
  readonly message: string
  readonly field?: string
  readonly element?: string
  readonly name?: string | null
  readonly line?: number
}

/** Returns a line about something that was not imported. */
export function skippedLine({ message, field, element, name, line }: Skipped): string {
  if (field !== undefined) return `Field ${field}: ${message}`
  const named = typeof name === 'string' ? ` ${name}` : ''
  return `Line ${line}, ${element}${named}: ${message}`
}

export interface ImportAnswer {
  readonly created?: readonly unknown[]
  readonly updated?: readonly unknown[]
  readonly unchangedCount?: number
  readonly fields?: readonly unknown[]
  readonly skipped: readonly Skipped[]
  readonly skippedCount: number
}
