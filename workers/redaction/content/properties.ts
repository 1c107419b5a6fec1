// What marked content says of itself (ISO 32000-2, 14.6): of a redacted page only what ties it to the structure and to
// layers stays. Anything else was written by whoever made the file, and may be the very words.
import type { PDFObject } from 'mupdf'
import { nameIn, type Operator, operatorsOf } from '../../content/operators.js'
import { entry, integerOf, isDictionary, nameOf } from '../../objects/values.js'

const layerTypes = new Set(['OCG', 'OCMD'])
const marks = new Set(['BMC', 'BDC', 'EMC', 'MP', 'DP'])

export const isMark = ({ name }: Operator): boolean => marks.has(name)

export interface KeptProperties {
  readonly text: string
  /** Name of the resource that is used further on. */
  readonly name?: string
}

/** Returns what is kept of the operands of `BDC` and `DP`. */
export function keptProperties({ name, operands }: Operator, properties: PDFObject): KeptProperties {
  const [tag = '/Span', list = ''] = operands
  const called = nameIn(list)
  if (called === undefined) return { text: `${tag} ${idOnly(idIn(list))} ${name}` }
  const named = entry(properties, called)
  if (layerTypes.has(nameOf(entry(named, 'Type')) ?? '')) return { text: `${tag} ${list} ${name}`, name: called }
  return { text: `${tag} ${idOnly(isDictionary(named) ? integerOf(entry(named, 'MCID')) : undefined)} ${name}` }
}

const idOnly = (id: number | undefined): string => (id === undefined ? '<<>>' : `<</MCID ${id}>>`)

/** Read as operands: of what is nested in one nothing is looked at. */
function idIn(dictionary: string): number | undefined {
  const [operator] = operatorsOf(`${dictionary.replace(/^<<|>>$/g, ' ')} d`)
  const operands = operator?.operands ?? []
  const place = operands.findIndex((operand, index) => index % 2 === 0 && nameIn(operand) === 'MCID')
  const id = Number(operands[place + 1])
  return place >= 0 && Number.isSafeInteger(id) ? id : undefined
}
