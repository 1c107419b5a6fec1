// Writes the values of a form as an FDF file (ISO 32000-2, 12.7.8).
import type { Reading } from '../../document/reading.js'
import { type FieldNode, fieldTree } from '../values/field-tree.js'
import { type FieldEntry, fieldEntries } from '../values/field-values.js'

export function writeFdf(reading: Reading): Uint8Array {
  const fields = fieldTree(fieldEntries(reading)).map(fieldText).join('\n')
  const text = [
    '%FDF-1.2',
    // Bytes above 127 show programs that the file is binary.
    '%\u00e2\u00e3\u00cf\u00d3',
    '1 0 obj',
    `<< /FDF << /Fields [\n${fields}\n] >> >>`,
    'endobj',
    'trailer',
    '<< /Root 1 0 R >>',
    '%%EOF',
    '',
  ].join('\n')
  return Buffer.from(text, 'latin1')
}

function fieldText({ name, entry, children }: FieldNode): string {
  const kids = children.length === 0 ? '' : ` /Kids [ ${children.map(fieldText).join(' ')} ]`
  return `<< /T ${stringText(name)}${entry === undefined ? '' : ` /V ${valueText(entry)}`}${kids} >>`
}

function valueText({ value, isState }: FieldEntry): string {
  if (typeof value !== 'string') return `[ ${value.map(stringText).join(' ')} ]`
  return isState ? stateText(value) : stringText(value)
}

/** A state that is no plain name is written as a string, from which readers make the name. */
const stateText = (state: string): string => (/^[\w.-]+$/.test(state) ? `/${state}` : stringText(state))

/** Returns a literal string for ASCII, else a hexadecimal one in UTF-16. */
function stringText(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return `(${text.replace(/[\\()]/g, '\\$&')})`
  const bytes = Buffer.from(`\ufeff${text.toWellFormed()}`, 'utf16le').swap16()
  return `<${bytes.toString('hex')}>`
}
