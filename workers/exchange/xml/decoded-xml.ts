// Decodes the bytes of an XML file: UTF-8, or UTF-16 with a byte order mark.
import { JobRefusal } from '../../contract/job-refusal.js'

/** Throws `InvalidArg` for bytes that are no text in the encoding. */
export function decodedXml(bytes: Uint8Array): string {
  const encoding = encodingOf(bytes)
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw new JobRefusal('InvalidArg', `The XML is not valid ${encoding.toUpperCase()}`, { encoding })
  }
}

function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16be' | 'utf-16le' {
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0xff && second === 0xfe ? 'utf-16le' : 'utf-8'
}
