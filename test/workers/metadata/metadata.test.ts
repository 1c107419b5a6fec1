import { readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import t from 'tap'
import { isoOfPdfDate, isoOfXmpDate } from '../../../workers/contract/pdf-dates.js'
import { annotatedPdf } from '../../support/pdf/annotated-pdf.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { readsOf } from '../../support/pdf/reads.js'

const namespaces =
  'xmlns:x="http://purl.org/dc/elements/1.1/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:m="http://ns.adobe.com/xap/1.0/"'

function withMetadata({ info = '', xmp = '', entries = '/Type/Metadata/Subtype/XML' }): Buffer {
  const packet = `<?xpacket begin=""?><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><r:Description ${namespaces}>${xmp}</r:Description></r:RDF>`
  return annotatedPdf({
    catalog: '/Metadata 60 0 R',
    trailer: '/Info 61 0 R',
    further: { 60: { body: `<<${entries}>>`, stream: packet }, 61: `<<${info}>>` },
  })
}

const alt = (text: string): string =>
  `<x:title><r:Alt><r:li xml:lang="de">Nein</r:li><r:li xml:lang="x-default">${text}</r:li></r:Alt></x:title>`

t.test('the information dictionary is read as pdfinfo reads it, whatever the encoding', needs('pdfinfo'), async (t) => {
  const reads = readsOf(
    t,
    annotatedPdf({
      trailer: '/Info 61 0 R',
      further: {
        61: '<</Title(\xfe\xff\x00B\x00\xfc\x20\xac)/Author(Jos\xe9 \x92)/Subject<4869>/Keywords()/Creator(a\\)b)/CreationDate(D:20240229)>>',
      },
    }),
  )
  const reported = judged('pdfinfo', ['-enc', 'UTF-8', reads.source.path]).toString()
  const { title, author, subject, creator, keywords, createdAt, modifiedAt, producer, trapped } = reads.metadata()
  t.match(reported, `Title:           ${title}`)
  t.match(reported, `Author:          ${author}`)
  t.match(reported, `Subject:         ${subject}`)
  t.match(reported, `Creator:         ${creator}`)
  t.same([title, author, subject, creator], ['Bü€', 'José ™', 'Hi', 'a)b'])
  t.same([keywords, modifiedAt, producer, trapped], [null, null, null, 'unknown'])
  t.equal(createdAt, '2024-02-29T00:00:00Z')
})

t.test('if dictionary and XMP differ, the one written later takes precedence', async (t) => {
  const info = '/Title(Dictionary)/Producer(P)/ModDate(D:20240101000000Z)'
  const later = `${alt('Packet')}<m:ModifyDate>2024-01-01T01:30:00+01:00</m:ModifyDate><m:CreatorTool>Tool</m:CreatorTool>`
  t.match(readsOf(t, withMetadata({ info, xmp: later })).metadata(), {
    title: 'Packet',
    producer: 'P',
    creator: 'Tool',
    modifiedAt: '2024-01-01T01:30:00+01:00',
  })
  const earlier = later.replace('01:30', '00:30')
  t.match(readsOf(t, withMetadata({ info, xmp: earlier })).metadata(), { title: 'Dictionary', creator: 'Tool' })
  const undated = readsOf(t, withMetadata({ info: '/Title(Dictionary)', xmp: later })).metadata()
  t.match(undated, { title: 'Dictionary', modifiedAt: '2024-01-01T01:30:00+01:00' })
})

t.test('XMP is read by namespace: elements, attributes, lists, alternatives and references', async (t) => {
  const xmp = `${alt('A &amp; &#66; &#x1F600; &bomb;')}<x:creator><r:Seq><r:li>One</r:li><r:li>Two</r:li></r:Seq></x:creator>
    <x:description><![CDATA[<b>]]></x:description><title>not mine</title>
    <pdf:Trapped>True</pdf:Trapped></r:Description><r:Description ${namespaces} pdf:Keywords="k" m:CreateDate="2020-02-30">`
  t.match(readsOf(t, withMetadata({ xmp })).metadata(), {
    title: 'A & B 😀 &bomb;',
    author: 'One; Two',
    subject: '<b>',
    keywords: 'k',
    createdAt: null,
    trapped: 'true',
  })
})

t.test('an XMP packet that is too large, not XML or not a stream counts as missing', async (t) => {
  const bomb = deflateSync(Buffer.alloc(50_000_000, 32)).toString('latin1')
  const packets = [
    { body: '<</Filter/FlateDecode>>', stream: bomb },
    { body: '<</Filter[/ASCIIHexDecode/FlateDecode]>>', stream: '00>' },
    { body: '<</Filter/FlateDecode>>', stream: 'not deflated' },
    { body: '<<>>', stream: `${'<a '.repeat(100_000)}${'<!--'.repeat(100_000)}` },
    '<</Type/Metadata>>',
  ]
  for (const packet of packets) {
    const reads = readsOf(
      t,
      annotatedPdf({ catalog: '/Metadata 60 0 R', trailer: '/Info<</Title(T)>>', further: { 60: packet } }),
    )
    t.match(reads.metadata(), { title: 'T', author: null })
  }
})

t.test('a deflated XMP packet is read even if truncated', async (t) => {
  const packet = `<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><r:Description ${namespaces} pdf:Producer="Cut"/>`
  const deflated = deflateSync(Buffer.from(packet + ' '.repeat(200)), { level: 0 })
  const stream = deflated.subarray(0, deflated.length - 40).toString('latin1')
  const further = { 60: { body: '<</Filter/FlateDecode>>', stream } }
  t.equal(readsOf(t, annotatedPdf({ catalog: '/Metadata 60 0 R', further })).metadata().producer, 'Cut')
})

t.test('an XMP packet with the Crypt filter is read, one with a predictor is not', async (t) => {
  const packet = `<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><r:Description ${namespaces} pdf:Producer="P"/></r:RDF>`
  const stream = deflateSync(Buffer.from(packet)).toString('latin1')
  const producer = (entries: string) =>
    readsOf(
      t,
      annotatedPdf({ catalog: '/Metadata 60 0 R', further: { 60: { body: `<<${entries}>>`, stream } } }),
    ).metadata().producer
  t.equal(producer('/Filter[/Crypt/FlateDecode]/DecodeParms[<</Name/Identity>>null]'), 'P')
  t.equal(producer('/Filter[/FlateDecode]/DecodeParms[<</Predictor 12>>]'), null)
  t.equal(producer('/Filter/FlateDecode/DecodeParms<</Predictor 12>>'), null)
  t.equal(producer('/Filter/toString'), null)
})

t.test('the unencrypted XMP packet of an encrypted document is ignored', needs('qpdf'), async (t) => {
  const xmp = '<pdf:Producer>Packet</pdf:Producer>'
  const plain = readsOf(t, withMetadata({ info: '/Title(Dictionary)', xmp })).source.path
  const encrypted = `${plain}.encrypted.pdf`
  judged('qpdf', ['--encrypt', '', 'owner', '128', '--use-aes=y', '--cleartext-metadata', '--', plain, encrypted])
  t.match(readsOf(t, readFileSync(encrypted)).metadata(), { title: 'Dictionary', producer: null })
  const sealed = `${plain}.sealed.pdf`
  judged('qpdf', ['--encrypt', '', 'owner', '256', '--', plain, sealed])
  t.match(readsOf(t, readFileSync(sealed)).metadata(), { title: 'Dictionary', producer: 'Packet' })
})

t.test('non-standard entries are custom metadata, in any type that has a text form', async (t) => {
  const info = '/Title(T)/Department(Sales)/Kind/Draft/Pages 12/Signed true/List[1]/__proto__(own)/Empty()'
  const custom = readsOf(t, withMetadata({ info })).customMetadata()
  t.same(Object.entries(custom).sort(), [
    ['Department', 'Sales'],
    ['Empty', ''],
    ['Kind', 'Draft'],
    ['Pages', '12'],
    ['Signed', 'true'],
    ['__proto__', 'own'],
  ])
  t.same(readsOf(t, annotatedPdf({ trailer: '/Info 7' })).customMetadata(), {})
})

t.test('PDF dates become ISO 8601 with an offset, and invalid dates are omitted', async (t) => {
  const dates: readonly (readonly [string, string | null])[] = [
    ["D:20260131120000+01'00'", '2026-01-31T12:00:00+01:00'],
    ["D:20260131120000-08'30", '2026-01-31T12:00:00-08:30'],
    ['D:20260131120000Z', '2026-01-31T12:00:00Z'],
    ["D:20260131120000+00'00'", '2026-01-31T12:00:00Z'],
    ['D:2026', '2026-01-01T00:00:00Z'],
    ['20260131', '2026-01-31T00:00:00Z'],
    ['D:20260230', null],
    ['D:20261301', null],
    ['D:20260131250000', null],
    ['D:20260131236100', null],
    ['yesterday', null],
    ['D:00000101', null],
    [`D:2026${' '.repeat(100_000)}x`, null],
  ]
  for (const [text, iso] of dates) t.equal(isoOfPdfDate(text), iso, text.slice(0, 40))
  t.equal(isoOfPdfDate(undefined), null)
  t.equal(isoOfXmpDate('2020-02-29T10:11'), '2020-02-29T10:11:00Z')
  t.equal(isoOfXmpDate('2020-02-29T10:11:12.345-05:00'), '2020-02-29T10:11:12-05:00')
  t.equal(isoOfXmpDate('2020-02-29 or so'), null)
})
