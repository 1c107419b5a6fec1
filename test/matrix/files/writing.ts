// Writes objects to a file with every kind of cross-reference and encryption.

import { qpdfOf } from '../../support/pdf/bases.js'
import { type RawObjects, rawPdf } from '../../support/pdf/raw-pdf.js'
import type { Spec } from './dimensions.js'

const id = '/ID[<00112233445566778899AABBCCDDEEFF><00112233445566778899AABBCCDDEEFF>]'
const trailer = `/Info 19 0 R${id}`

/** Password of files whose pages cannot be read without one. */
export const userPassword = 'open sesame'
const ownerPassword = 'owner'

export function needsPassword(encryption: Spec['encryption']): boolean {
  return encryption !== 'plain' && !encryption.includes('owner-only')
}

const weak = '--allow-weak-crypto'
const encryptions: Readonly<Record<Exclude<Spec['encryption'], 'plain'>, readonly string[]>> = {
  'rc4-40': [weak, '--encrypt', userPassword, ownerPassword, '40', '--'],
  'rc4-128': [weak, '--encrypt', userPassword, ownerPassword, '128', '--use-aes=n', '--'],
  'aes-128': [weak, '--encrypt', userPassword, ownerPassword, '128', '--use-aes=y', '--'],
  'aes-256': ['--encrypt', userPassword, ownerPassword, '256', '--'],
  'clear-metadata': [
    weak,
    '--encrypt',
    userPassword,
    ownerPassword,
    '128',
    '--use-aes=y',
    '--cleartext-metadata',
    '--',
  ],
  'owner-only': [weak, '--encrypt', '', ownerPassword, '128', '--use-aes=y', '--'],
  'aes-256-owner-only': ['--encrypt', '', ownerPassword, '256', '--'],
}

/** Layout options of qpdf besides encryption. */
const layouts: Readonly<Partial<Record<Spec['xref'], readonly string[]>>> = {
  'object-streams': ['--object-streams=generate'],
  linearized: ['--linearize'],
}

export function written(objects: RawObjects, { xref, encryption }: Pick<Spec, 'xref' | 'encryption'>): Buffer {
  if (xref === 'xref-stream') return withStream(objects)
  if (xref === 'hybrid') return hybrid(objects)
  const layout = layouts[xref] ?? []
  const options = encryption === 'plain' ? layout : [...layout, ...encryptions[encryption]]
  const plain = rawPdf(objects, { trailer })
  const bytes = options.length === 0 ? plain : qpdfOf(plain, options)
  if (xref === 'revisions') return [1, 2, 3].reduce(withRevision, bytes)
  return xref === 'leading-junk' ? Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\n\r\n'), bytes]) : bytes
}

/** Appends a revision that repeats a page unchanged in a new section. Page dictionaries contain nothing encrypted. */
function withRevision(bytes: Buffer, revision: number): Buffer {
  const text = bytes.toString('latin1')
  const page = [...text.matchAll(/(\d+) 0 obj\s*(<<(?:(?!endobj)[\s\S])*?\/Type ?\/Page\b[\s\S]*?)\nendobj/g)].at(-1)
  const previous = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(text)?.[1]
  const entries = [...text.matchAll(/trailer\s*<<([\s\S]*?)>>\s*startxref/g)].at(-1)?.[1]
  if (page === undefined || previous === undefined || entries === undefined)
    throw new Error('The file to append a revision to is incomplete')
  const [, number = '', dictionary = ''] = page
  const body = `${dictionary.replace(/\/Revision \d+/, '').replace(/>>\s*$/, '')}/Revision ${revision}>>`
  const object = `${number} 0 obj\n${body}\nendobj\n`
  const place = String(bytes.length).padStart(10, '0')
  const table = `xref\n${number} 1\n${place} 00000 n \ntrailer\n<<${entries.replace(/\/Prev \d+/, '')}/Prev ${previous}>>\n`
  const start = bytes.length + object.length
  return Buffer.from(`${text}${object}${table}startxref\n${start}\n%%EOF\n`, 'latin1')
}

/** Writes a cross-reference stream (ISO 32000-2, 7.5.8) whose entries have fields of one, four and one bytes. */
function withStream(objects: RawObjects): Buffer {
  const { text, places, size } = body(objects)
  return Buffer.from(
    `${text}${xrefStream({ size, places, start: text.length, entries: `/Root 1 0 R${trailer}` })}`,
    'latin1',
  )
}

/** Writes a table for old readers, and a stream that lists the annotations as well. */
function hybrid(objects: RawObjects): Buffer {
  const { text, places, size } = body(objects)
  const isHidden = (number: number): boolean => number >= 20 && number < 80
  const hidden = new Map([...places].filter(([number]) => isHidden(number)))
  const stream = xrefStream({ size, places: hidden, start: text.length, entries: '/Root 1 0 R' }).replace(
    /startxref[\s\S]*$/,
    '',
  )
  const table = text.length + stream.length
  // Objects that only the stream lists are absent from the table: a free entry there would take precedence.
  const rows = Array.from({ length: size }, (_, number) => number).flatMap((number) => {
    const place = places.get(number)
    if (isHidden(number) || (place === undefined && number > 0)) return []
    return [
      `${number} 1\n${place === undefined ? '0000000000 65535 f ' : `${String(place).padStart(10, '0')} 00000 n `}\n`,
    ]
  })
  const end = `trailer\n<</Size ${size + 1}/Root 1 0 R${trailer}/XRefStm ${text.length}>>\nstartxref\n${table}\n%%EOF\n`
  return Buffer.from(`${text}${stream}xref\n${rows.join('')}${end}`, 'latin1')
}

/** Writes a file up to its cross-reference table. */
function body(objects: RawObjects) {
  const whole = rawPdf(objects).toString('latin1')
  const text = whole.slice(0, whole.lastIndexOf('\nxref\n') + 1)
  const places = new Map<number, number>()
  const rows = whole.slice(whole.lastIndexOf('\nxref\n')).matchAll(/^(\d{10}) \d{5} ([nf]) $/gm)
  let size = 0
  for (const [, place, kind] of rows) {
    if (kind === 'n') places.set(size, Number(place))
    size++
  }
  return { text, places, size }
}

function xrefStream({
  size,
  places,
  start,
  entries,
}: {
  readonly size: number
  readonly places: ReadonlyMap<number, number>
  readonly start: number
  readonly entries: string
}): string {
  const rows = [...places, [size, start] as const].toSorted(([one], [other]) => one - other)
  const bytes = Buffer.alloc(rows.length * 6)
  for (const [index, [, place]] of rows.entries()) {
    bytes.writeUInt8(1, index * 6)
    bytes.writeUInt32BE(place, index * 6 + 1)
  }
  const index = rows.map(([number]) => `${number} 1`).join(' ')
  const dictionary = `<</Type/XRef/Size ${size + 1}/W[1 4 1]/Index[${index}]/Length ${bytes.length}${entries}>>`
  const stream = `${size} 0 obj\n${dictionary}\nstream\n${bytes.toString('latin1')}\nendstream\nendobj\n`
  return `${stream}startxref\n${start}\n%%EOF\n`
}
