// Tells a file whose end is missing from one that is wrong in other ways: an upload that broke off can be tried again.
import { FileBytes } from '../file/file-bytes.js'

/** Readers look for the end this far before the last byte. */
const tailBytes = 1024

export function isTruncated(path: string): boolean {
  const file = new FileBytes(path)
  try {
    return !file.text(Math.max(0, file.sizeBytes - tailBytes), tailBytes).includes('%%EOF')
  } finally {
    file.close()
  }
}
