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

function valueText({ value, state }: FieldEntry): string {
  if (state !== undefined) return nameText(state)
  return typeof value === 'string' ? stringText(value) : `[ ${value.map(stringText).join(' ')} ]`
}

/** Returns a name, whose bytes other than plain characters are written as `#xx` (ISO 32000-2, 7.3.5). */
const nameText = (name: string): string =>
  `/${Buffer.from(name, 'utf8')
    .toString('latin1')
    .replace(/[^\w.-]/g, (byte) => `#${byte.charCodeAt(0).toString(16).padStart(2, '0')}`)}`

/** Returns a literal string for ASCII, else a hexadecimal one in UTF-16. */
function stringText(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return `(${text.replace(/[\\()]/g, '\\$&')})`
  const bytes = Buffer.from(`\ufeff${text.toWellFormed()}`, 'utf16le').swap16()
  return `<${bytes.toString('hex')}>`
}
