// A form of two pages that Sig1 has signed: text fields, a checkbox, a choice, an empty signature field, markup, a stamp.
import { placeholderFor, RawFile, type RawObjects, signaturePlaceholder, stream } from './raw-file.js'
import { timestampContents } from './timestamp-contents.js'

const font = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>'

/** Appearance of a text field. */
export const textAppearance = (text: string, fontObject = 5): string =>
  stream(
    `/Tx BMC BT /Helv 12 Tf 2 5 Td (${text}) Tj ET EMC`,
    `/Type/XObject/Subtype/Form/BBox[0 0 200 20]/Resources<</Font<</Helv ${fontObject} 0 R>>>>`,
  )

export const box = (color: string): string =>
  stream(`${color} rg 0 0 200 20 re f`, '/Type/XObject/Subtype/Form/BBox[0 0 200 20]')

const widget = (rect: string, rest: string): string => `<</Type/Annot/Subtype/Widget/P 3 0 R/F 4/Rect[${rect}]${rest}>>`

export const amount = (value: string, appearance = 12, rest = ''): string =>
  widget('100 600 300 620', `/FT/Tx/T(amount)/V(${value})/DA(/Helv 12 Tf 0 g)/AP<</N ${appearance} 0 R>>${rest}`)
export const remark = (rest: string): string => widget('100 570 300 590', `/FT/Tx/T(remark)${rest}`)
export const accepted = (rest: string): string =>
  widget('100 540 120 560', `/FT/Btn/T(accepted)/AP<</N<</Yes 40 0 R/Off 41 0 R>>>>${rest}`)
export const color = (rest: string): string =>
  widget('100 510 300 530', `/FT/Ch/Ff 131072/T(color)/Opt[[(r)(Red)][(g)(Green)]]/DA(/Helv 12 Tf 0 g)${rest}`)
export const secondSignature = (rest: string): string => widget('100 300 300 350', `/FT/Sig/T(Sig2)${rest}`)
export const highlight = (rest: string): string =>
  `<</Type/Annot/Subtype/Highlight/Rect[72 750 300 775]/QuadPoints[72 775 300 775 72 750 300 750]/C[1 1 0]/P 3 0 R${rest}>>`
export const stamp = (rest: string): string =>
  `<</Type/Annot/Subtype/Stamp/Rect[60 690 460 720]/AP<</N 33 0 R>>/P 3 0 R${rest}>>`

export const catalog = (rest = ''): string =>
  `<</Type/Catalog/Pages 2 0 R/AcroForm 10 0 R/Names<</Dests 14 0 R>>/Metadata 51 0 R${rest}>>`
export const pageAnnotations = '20 0 R 21 0 R 22 0 R 23 0 R 24 0 R 25 0 R 30 0 R 31 0 R 32 0 R'
export const page = (annotations = pageAnnotations, rest = ''): string =>
  `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>/XObject<</Fm 8 0 R>>>>/Annots[${annotations}]${rest}>>`
export const formFields = '20 0 R 21 0 R 22 0 R 23 0 R 24 0 R 25 0 R'
export const form = (fields = formFields, rest = '/SigFlags 3'): string =>
  `<</Fields[${fields}]/DR<</Font<</Helv 5 0 R>>>>/DA(/Helv 0 Tf 0 g)${rest}>>`
export const metadata = (date: string, title = 'Contract'): string =>
  stream(
    `<?xpacket begin=""?><x:xmpmeta xmlns:x="adobe:ns:meta/"><xmp:ModifyDate>${date}</xmp:ModifyDate><dc:title>${title}</dc:title></x:xmpmeta>`,
    '/Type/Metadata/Subtype/XML',
  )
export const information = (rest: string): string => `<</Title(Contract)${rest}>>`

/** Returns a signature dictionary; it covers the revision that it is written in. */
export const signature = (rest = ''): string =>
  `<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/ETSI.CAdES.detached${rest}${signaturePlaceholder}>>`
export const timestampOf = (contents: string, rest = '/Type/DocTimeStamp/SubFilter/ETSI.RFC3161'): string =>
  `<<${rest}/Filter/Adobe.PPKLite${placeholderFor(contents)}>>`
export const timestamp = timestampOf(timestampContents)
export const newSignatureField = (name: string, value: string, rect = '0 0 0 0'): string =>
  `<</Type/Annot/Subtype/Widget/P 3 0 R/F 4/Rect[${rect}]/FT/Sig/T(${name})${value}>>`

export const contractObjects: RawObjects = {
  1: catalog(),
  2: '<</Type/Pages/Kids[3 0 R 6 0 R]/Count 2>>',
  3: page(),
  4: stream('BT /F1 12 Tf 72 760 Td (Contract: the buyer pays 100 Euro.) Tj ET /Fm Do'),
  5: font,
  6: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Annots 15 0 R>>',
  8: box('1 0 0'),
  10: form(),
  12: textAppearance('100'),
  14: '<</Names[(first)[3 0 R/Fit]]>>',
  15: '[]',
  20: amount('100'),
  21: remark('/DA(/Helv 12 Tf 0 g)'),
  22: widget('100 400 300 450', '/FT/Sig/T(Sig1)'),
  23: secondSignature(''),
  24: accepted('/V/Off/AS/Off'),
  25: color(''),
  30: highlight(''),
  31: stamp(''),
  32: '<</Type/Annot/Subtype/Text/Rect[400 400 420 420]/Contents(Look)/P 3 0 R/Popup 34 0 R>>',
  33: box('1 1 1'),
  34: '<</Type/Annot/Subtype/Popup/Rect[420 400 520 460]/Parent 32 0 R>>',
  40: box('0 1 0'),
  41: box('1 1 1'),
  50: information('/ModDate(D:20240101000000Z)'),
  51: metadata('2024-01-01'),
}

export const contractTrailer =
  '/Root 1 0 R/Info 50 0 R/ID[<00112233445566778899aabbccddeeff><00112233445566778899aabbccddeeff>]'

/** The contract after Sig1 was signed: its second revision. `objects` replace those above before the signature. */
export const signedContract = (objects: RawObjects = {}, trailer = contractTrailer): RawFile =>
  new RawFile({ ...contractObjects, ...objects }, trailer).update({
    objects: { 22: widget('100 400 300 450', '/FT/Sig/T(Sig1)/V 60 0 R'), 60: signature() },
  })
