// The same two pages in files of every structure: cross-reference table, stream, hybrid, linearized, encrypted, with reused
// object numbers. The first page is object 3, its content 4; the second 5, its content 6. Partly written by qpdf.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deltaSection } from '../../../workers/file/section/delta-section.js'
import { contentOf } from '../../../workers/file/section/section-pieces.js'
import { judged } from './judges.js'
import { helvetica, rawPdf } from './raw-pdf.js'

export interface Base {
  readonly name: string
  readonly bytes: Buffer
  readonly password?: string
}

const resources = `/Resources<<${helvetica}>>`
const text = (words: string) => ({ body: '<<>>', stream: `BT /F1 18 Tf 30 100 Td (${words}) Tj ET` })
const objects = {
  1: '<</Type/Catalog/Pages 2 0 R>>',
  2: `<</Type/Pages/Kids[3 0 R 5 0 R]/Count 2/MediaBox[0 0 300 200]${resources}>>`,
  3: '<</Type/Page/Parent 2 0 R/Contents 4 0 R>>',
  4: text('First page'),
  5: '<</Type/Page/Parent 2 0 R/Contents 6 0 R>>',
  6: text('Second page'),
  7: '<</Title(Pages)/Author(Ada)>>',
}
const id = '/ID[<00112233445566778899AABBCCDDEEFF><00112233445566778899AABBCCDDEEFF>]'

export const classicBase = (): Buffer => rawPdf(objects, { trailer: `/Info 7 0 R${id}` })

/** User and owner password of an encrypted base; both allow all changes. */
export const passwords = { user: 'open sesame', owner: 'owner' } as const

const encrypted = (bits: string, ...options: readonly string[]): readonly string[] => [
  ...(bits === '128' ? ['--allow-weak-crypto'] : []),
  '--encrypt',
  passwords.user,
  passwords.owner,
  bits,
  ...options,
  '--',
]

/** Needs qpdf. */
export function everyBase(): readonly Base[] {
  const password = passwords.user
  return [
    { name: 'a table', bytes: classicBase() },
    { name: 'a table, no /Info and no /ID', bytes: rawPdf({ ...objects, 7: 'null' }) },
    { name: 'a table, with generations', bytes: generationsBase() },
    { name: 'a stream, with generations', bytes: generationsInStreamBase() },
    { name: 'a table without a line at its end', bytes: classicBase().subarray(0, -1) },
    { name: 'a stream and compressed objects', bytes: qpdf('--object-streams=generate') },
    { name: 'both a table and a stream', bytes: hybridBase() },
    { name: 'linearized', bytes: qpdf('--linearize') },
    { name: 'linearized, with streams', bytes: qpdf('--linearize', '--object-streams=generate') },
    { name: 'RC4, 128 bits', bytes: qpdf(...encrypted('128', '--use-aes=n')), password },
    { name: 'AES, 128 bits', bytes: qpdf(...encrypted('128', '--use-aes=y')), password },
    { name: 'AES, 256 bits', bytes: qpdf(...encrypted('256')), password },
    {
      name: 'AES, 256 bits, with streams',
      bytes: qpdf('--object-streams=generate', ...encrypted('256')),
      password: passwords.owner,
    },
    { name: 'AES, 128 bits, metadata in the clear', bytes: clearMetadataBase(), password },
  ]
}

/** Objects 5 and 6 reuse numbers: they have generations 2 and 1. */
export function generationsBase(): Buffer {
  const changes: readonly (readonly [from: RegExp, to: string])[] = [
    [/5 0 (R|obj)/g, '5 2 $1'],
    [/6 0 (R|obj)/g, '6 1 $1'],
    [/((?:\d{10} \d{5} [nf] \n){5}\d{10}) 00000 n \n(\d{10}) 00000 n/, '$1 00002 n \n$2 00001 n'],
  ]
  const text = changes.reduce((text, [from, to]) => text.replace(from, to), classicBase().toString('latin1'))
  return Buffer.from(text, 'latin1')
}

/** The same, with a cross-reference stream. */
export function generationsInStreamBase(): Buffer {
  const header = Buffer.from('%PDF-1.7\n')
  const written = [
    ...generationsBase()
      .toString('latin1')
      .matchAll(/(\d+) (\d+) obj\n([\s\S]*?)\nendobj/g),
  ]
  const { pieces } = deltaSection({
    base: { sizeBytes: header.length, startXref: undefined, kind: 'stream', trailer: new Map(), highestObject: 0 },
    objects: written.map(([, number, generation, body]) => ({
      number: Number(number),
      generation: Number(generation),
      body: Buffer.from(String(body), 'latin1'),
    })),
    firstFree: written.length + 1,
    trailer: new Map([['Root', '1 0 R']]),
  })
  return Buffer.concat([header, ...pieces.map(contentOf)])
}

/** ISO 32000-2, 7.5.8.4: a table for old readers, and behind it a stream that knows of one object more. */
export function hybridBase(): Buffer {
  const [before, table] = split(classicBase().toString('latin1'), /xref\n0 8\n/)
  const extra = '8 0 obj\n(only in the stream)\nendobj\n'
  const stream = before.length + extra.length
  const fields = Buffer.alloc(14)
  fields.writeUInt8(1, 0)
  fields.writeUInt32BE(before.length, 1)
  fields.writeUInt8(1, 7)
  fields.writeUInt32BE(stream, 8)
  const dictionary = `<</Type/XRef/Size 10/W[1 4 2]/Index[8 2]/Length ${fields.length}/Root 1 0 R>>`
  const xref = `9 0 obj\n${dictionary}\nstream\n${fields.toString('latin1')}\nendstream\nendobj\n`
  const start = stream + xref.length
  const tail = table.replace('/Size 8', `/Size 10/XRefStm ${stream}`).replace(/startxref\n\d+/, `startxref\n${start}`)
  return Buffer.from(before + extra + xref + tail, 'latin1')
}

function clearMetadataBase(): Buffer {
  const metadata = { body: '<</Type/Metadata/Subtype/XML>>', stream: '<x:xmpmeta xmlns:x="adobe:ns:meta/"/>' }
  const bytes = rawPdf(
    { ...objects, 1: '<</Type/Catalog/Pages 2 0 R/Metadata 8 0 R>>', 8: metadata },
    { trailer: `/Info 7 0 R${id}` },
  )
  return qpdfOf(bytes, [...encrypted('128', '--use-aes=y', '--cleartext-metadata')])
}

function split(text: string, at: RegExp): readonly [string, string] {
  const place = text.search(at)
  return [text.slice(0, place), text.slice(place)]
}

const qpdf = (...options: readonly string[]): Buffer => qpdfOf(classicBase(), options)

export function qpdfOf(bytes: Uint8Array, options: readonly string[]): Buffer {
  const [from, to] = ['from', 'to'].map((name) => join(tmpdir(), `steward-${process.pid}-${name}.pdf`))
  if (from === undefined || to === undefined) throw new Error('unreachable')
  try {
    writeFileSync(from, bytes)
    judged('qpdf', ['--static-id', ...options, from, to])
    return readFileSync(to)
  } finally {
    for (const path of [from, to]) rmSync(path, { force: true })
  }
}
