// Distinguishes a truncated file from one that is damaged in other ways: an interrupted upload can be repeated.
import { FileBytes } from '../file/file-bytes.js'

/** Number of bytes before the end in which readers search for the end marker. */
const tailBytes = 1024

export function isTruncated(path: string): boolean {
  const file = new FileBytes(path)
  try {
    return !file.text(Math.max(0, file.sizeBytes - tailBytes), tailBytes).includes('%%EOF')
  } finally {
    file.close()
  }
}
