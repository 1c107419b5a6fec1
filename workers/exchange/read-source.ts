// Reads the file of an import. Its size is limited before it is read.
import { readFileSync } from 'node:fs'
import { JobRefusal } from '../contract/job-refusal.js'
import { exchangeLimits } from './exchange-limits.js'

interface SentFile {
  readonly path: string
  readonly sizeBytes: number
}

/** Throws `PayloadTooLarge`. */
export function readSource({ path, sizeBytes }: SentFile): Uint8Array {
  const { fileBytesMax: max } = exchangeLimits
  if (sizeBytes <= max) return readFileSync(path)
  throw tooMany('fileBytesMax', `A file with annotations or values has at most ${max} bytes`, sizeBytes)
}

/** Returns the refusal of a file above a limit. */
export const tooMany = (limit: keyof typeof exchangeLimits, message: string, value: number): JobRefusal =>
  new JobRefusal('PayloadTooLarge', message, { limit, max: exchangeLimits[limit], value })
