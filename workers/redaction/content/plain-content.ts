// Rewrites content to a form that the engine writes back correctly: text shown with `Tj` only, and pictures as objects.
// The engine writes wrong line offsets for the two operators that also begin a line (ISO 32000-2, table 107), which
// would move all text that follows.
import type { PDFObject } from 'mupdf'
import type { Change } from '../../change/change.js'
import { type Operator, operatorsOf } from '../../content/operators.js'
import { entriesOf, entry } from '../../objects/values.js'
import type { DrawnContent } from './contents-drawn.js'
import { objectOfInline } from './inline-images.js'

const plain: Readonly<Record<string, (operands: readonly string[]) => string>> = {
  "'": ([string]) => `T* ${string} Tj`,
  '"': ([words, characters, string]) => `${words} Tw ${characters} Tc T* ${string} Tj`,
}

/** Number of operands of each operator; readers ignore an operator with fewer. */
const counts: Readonly<Record<string, number>> = { "'": 1, '"': 3 }

/** Maximum number of resource entries copied. */
const entriesMax = 100_000

export function writePlainly(change: Change, page: PDFObject, contents: Iterable<DrawnContent>): void {
  for (const drawn of contents) {
    const { form, resources } = drawn
    const pictures = new Map<string, PDFObject>()
    const written = plainly(change, drawn, pictures)
    if (written === undefined) continue
    const bytes = Buffer.from(written, 'latin1')
    const owner = form === undefined ? page : change.touch(form)
    if (form === undefined) page.put('Contents', change.pdf.addStream(bytes, {}))
    else form.writeStream(bytes)
    if (pictures.size > 0) owner.put('Resources', withPictures(change, resources, pictures))
  }
}

/** Returns a copy of the resources with pictures added: other content may share the original. */
function withPictures({ pdf }: Change, resources: PDFObject, pictures: ReadonlyMap<string, PDFObject>): PDFObject {
  const copyOf = (dictionary: PDFObject): PDFObject => {
    const copy = pdf.newDictionary()
    for (const [key, value] of entriesOf(dictionary, entriesMax)) copy.put(key, value)
    return copy
  }
  const drawings = copyOf(entry(resources, 'XObject'))
  for (const [name, picture] of pictures) drawings.put(name, picture)
  const copy = copyOf(resources)
  copy.put('XObject', drawings)
  return copy
}

/**
 * Returns the rewritten content; undefined if it is in that form already. `pictures` collects the former inline
 * pictures by name.
 */
function plainly(
  { pdf }: Change,
  { content, resources }: DrawnContent,
  pictures: Map<string, PDFObject>,
): string | undefined {
  if (!/['"]|\bBI\b/.test(content)) return undefined
  let [isAltered, count] = [false, 0]
  const drawInline = (operator: Operator): string | undefined => {
    const picture = objectOfInline(pdf, operator, resources)
    if (picture === undefined) return undefined
    while (!entry(resources, 'XObject', `RdI${count}`).isNull()) count++
    pictures.set(`RdI${count}`, picture)
    return `/RdI${count++} Do`
  }
  const pieces: string[] = []
  for (const operator of operatorsOf(content)) {
    const other = plainOf(operator) ?? drawInline(operator)
    isAltered ||= other !== undefined
    pieces.push(other ?? operator.text)
  }
  return isAltered ? pieces.join('\n') : undefined
}

function plainOf({ name, operands }: Operator): string | undefined {
  const count = counts[name]
  return count === undefined || operands.length < count ? undefined : plain[name]?.(operands.slice(-count))
}
