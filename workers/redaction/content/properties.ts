// Filters properties of marked content (ISO 32000-2, 14.6): on a redacted page only references to the structure and to
// layers are retained. All others may contain the redacted words.
import type { PDFObject } from 'mupdf'
import { nameIn, type Operator, operatorsOf } from '../../content/operators.js'
import { entry, integerOf, isDictionary, nameOf } from '../../objects/values.js'

const layerTypes = new Set(['OCG', 'OCMD'])
const marks = new Set(['BMC', 'BDC', 'EMC', 'MP', 'DP'])

export const isMark = ({ name }: Operator): boolean => marks.has(name)

export interface KeptProperties {
  readonly text: string
  /** Name of the resource that stays in use. */
  readonly name?: string
}

/** Returns the retained operands of `BDC` and `DP`. */
export function retainedProperties({ name, operands }: Operator, properties: PDFObject): KeptProperties {
  const [tag = '/Span', list = ''] = operands
  const called = nameIn(list)
  if (called === undefined) return { text: `${tag} ${idOnly(idIn(list))} ${name}` }
  const named = entry(properties, called)
  if (layerTypes.has(nameOf(entry(named, 'Type')) ?? '')) return { text: `${tag} ${list} ${name}`, name: called }
  return { text: `${tag} ${idOnly(isDictionary(named) ? integerOf(entry(named, 'MCID')) : undefined)} ${name}` }
}

const idOnly = (id: number | undefined): string => (id === undefined ? '<<>>' : `<</MCID ${id}>>`)

/** Returns /MCID of an inline dictionary, parsed as operands; nested values are ignored. */
function idIn(dictionary: string): number | undefined {
  const [operator] = operatorsOf(`${dictionary.replace(/^<<|>>$/g, ' ')} d`)
  const operands = operator?.operands ?? []
  const place = operands.findIndex((operand, index) => index % 2 === 0 && nameIn(operand) === 'MCID')
  const id = Number(operands[place + 1])
  return place >= 0 && Number.isSafeInteger(id) ? id : undefined
}
