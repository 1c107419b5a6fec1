// Shows text with `Tj` alone: of the two operators that also begin a line (ISO 32000-2, table 107) the engine writes how
// far down the line goes wrongly, and everything that follows would stand elsewhere.
import type { PDFObject } from 'mupdf'
import type { Change } from '../../change.js'
import type { DrawnContent } from './contents-drawn.js'
import { type Operator, operatorsOf } from './operators.js'

const plain: Readonly<Record<string, (operands: readonly string[]) => string>> = {
  "'": ([string]) => `T* ${string} Tj`,
  '"': ([words, characters, string]) => `${words} Tw ${characters} Tc T* ${string} Tj`,
}

/** How many operands one of them takes; with fewer, readers pass it over. */
const counts: Readonly<Record<string, number>> = { "'": 1, '"': 3 }

export function showPlainly(change: Change, page: PDFObject, contents: Iterable<DrawnContent>): void {
  for (const { form, content } of contents) {
    const written = plainly(content)
    if (written === undefined) continue
    const bytes = Buffer.from(written, 'latin1')
    if (form === undefined) page.put('Contents', change.pdf.addStream(bytes, {}))
    else change.touch(form).writeStream(bytes)
  }
}

/** Undefined = it is already. */
function plainly(content: string): string | undefined {
  if (!/['"]/.test(content)) return undefined
  let isAltered = false
  const pieces: string[] = []
  for (const operator of operatorsOf(content)) {
    const other = plainOf(operator)
    isAltered ||= other !== undefined
    pieces.push(other ?? operator.text)
  }
  return isAltered ? pieces.join('\n') : undefined
}

function plainOf({ name, operands }: Operator): string | undefined {
  const count = counts[name]
  return count === undefined || operands.length < count ? undefined : plain[name]?.(operands.slice(-count))
}
