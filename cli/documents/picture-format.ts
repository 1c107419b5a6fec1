// Derives the format of a picture from the extension of its file name.
import { extname } from 'node:path'
import { UsageProblem } from '../line/usage.js'

const formats: Readonly<Record<string, string>> = { '.webp': 'webp', '.png': 'png' }

/** Throws `UsageProblem` for other endings. */
export function pictureFormat(path: string): string {
  const format = formats[extname(path).toLowerCase()]
  if (format !== undefined) return format
  throw new UsageProblem('cli.bad-value', {
    detail: `--out must end in .webp or .png, and this is "${path}".`,
    fix: 'Name the file with one of the two endings.',
  })
}
