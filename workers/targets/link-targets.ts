// Reads the target of a link: its own destination, or that of its action (ISO 32000-2, 12.6.4).
import type { PDFObject } from 'mupdf'
import type { LinkTarget } from '../contract/link-target.js'
import type { Reading } from '../document/reading.js'
import { lookUp } from '../objects/look-up.js'
import { entry, isDictionary, isMissing, nameOf } from '../objects/values.js'
import { destinationOf } from './destinations.js'
import { fileName } from './file-specifications.js'

type ReadTarget = (reading: Reading, action: PDFObject) => LinkTarget

const unsupported: LinkTarget = { kind: 'unsupported' }

const targets: Readonly<Record<string, ReadTarget>> = {
  GoTo: (reading, action) => goto(reading, entry(action, 'D')),
  URI: (reading, action) => {
    const uri = reading.text(action, 'URI')
    return uri === undefined ? unsupported : { kind: 'uri', uri }
  },
  GoToR: (reading, action) => {
    const file = fileName(reading, entry(action, 'F'))
    return file === undefined ? unsupported : { kind: 'goto-remote', file }
  },
  Launch: (reading, action) => {
    const path = fileName(reading, entry(action, 'F')) ?? fileName(reading, entry(action, 'Win'))
    return path === undefined ? unsupported : { kind: 'launch', path }
  },
  JavaScript: () => ({ kind: 'javascript' }),
  Named: (reading, action) => {
    const name = reading.name(action, 'N')
    return name === undefined ? unsupported : { kind: 'named', name }
  },
}

export function linkTargetOf(reading: Reading, link: PDFObject): LinkTarget | null {
  const destination = entry(link, 'Dest')
  if (!isMissing(destination)) return goto(reading, destination)
  const action = entry(link, 'A')
  if (!isDictionary(action)) return null
  const kind = nameOf(entry(action, 'S'))
  return lookUp(targets, kind)?.(reading, action) ?? unsupported
}

function goto(reading: Reading, value: PDFObject): LinkTarget {
  const destination = destinationOf(reading, value)
  return destination === undefined ? unsupported : { kind: 'goto', destination }
}
