// Writes targets of links (ISO 32000-2, 12.3.2 and 12.6.4).
import type { PDFObject } from 'mupdf'
import type { Destination } from '../contract/destination.js'
import { JobRefusal } from '../contract/job-refusal.js'
import type { LinkTarget } from '../contract/link-target.js'
import { inFile, numbersOf, viewNames, viewNumbers } from '../targets/views.js'
import type { Target } from './entries.js'

export function putLinkTarget({ change, object }: Target, target: LinkTarget | null): void {
  object.delete('A')
  object.delete('Dest')
  const { pdf } = change
  if (target?.kind === 'uri') {
    const action = pdf.newDictionary()
    action.put('S', pdf.newName('URI'))
    action.put('URI', pdf.newString(target.uri))
    object.put('A', action)
  } else if (target?.kind === 'goto') object.put('Dest', destinationArray({ change, target: target.destination }))
}

interface LinkedDestination {
  readonly change: Target['change']
  readonly target: Destination
}

function destinationArray({ change, target }: LinkedDestination): PDFObject {
  const { document, pdf } = change
  const number = target.page.objectNumber
  if (!document.hasPage(number))
    throw new JobRefusal('InvalidArg', `The link refers to the page obj:${number}, which does not exist`)
  const numbers = numbersOf(target)
  if (numbers === undefined)
    throw new JobRefusal('InvalidArg', 'A link to a rectangle needs its x, y, width and height')
  const space = change.reading().spaceOf(number)
  const array = pdf.newArray()
  array.push(document.pageObject(number))
  array.push(pdf.newName(viewNames[target.kind]))
  for (const name of viewNumbers[target.kind]) {
    const value = numbers[name] ?? null
    array.push(value === null ? null : inFile(space, name, value))
  }
  return array
}
