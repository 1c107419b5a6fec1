// Complete content of a file, including invisible parts.
import { openFile } from '../../../workers/document/open-file.js'

/** Every object, streams inflated. */
export function everyObject(path: string): string {
  const document = openFile({ path })
  const { pdf } = document
  const texts = Array.from({ length: pdf.countObjects() - 1 }, (_, index) => {
    const object = pdf.newIndirect(index + 1)
    return `${object.resolve().toString()}${object.isStream() ? object.readStream().asString() : ''}`
  })
  document.destroy()
  return texts.join('\n')
}
