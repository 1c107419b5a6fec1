import { PDFDocument } from 'mupdf'
import t from 'tap'
import { appearanceStringOf, parseDefaultAppearance } from '../../../workers/text/default-appearance.js'
import { standardFontOf } from '../../../workers/text/fonts.js'
import { parseStyle } from '../../../workers/text/text-styles.js'

t.test('font, size and colours are those of the last valid operators', async (t) => {
  const strings: readonly (readonly [string | undefined, object])[] = [
    ['/Helv 12 Tf 0 g', { fontName: 'Helv', fontSize: 12, fillColor: '#000000' }],
    ['1 0 0 rg /F1 9 Tf /F2 8 Tf 0 0 1 rg', { fontName: 'F2', fontSize: 8, fillColor: '#0000ff' }],
    ['0 1 1 0 k 0.5 G', { fillColor: '#ff0000', strokeColor: '#808080' }],
    ['/Helv -7 Tf', { fontName: 'Helv', fontSize: 7 }],
    ['/Helv x Tf', {}],
    ['1 0 rg', {}],
    ['garbage (in) [it] Tf', {}],
    ['/toString 1 toString', {}],
    ['', {}],
    [undefined, {}],
  ]
  for (const [text, expected] of strings) t.same(parseDefaultAppearance(text), expected, text ?? 'none')
})

t.test('fonts are recognised by resource names, families and styles', async (t) => {
  const fonts: readonly (readonly [string | undefined, string | undefined])[] = [
    ['Helv', 'helvetica'],
    ['ZaDb', 'zapf-dingbats'],
    ['ABCDEF+Arial-BoldItalicMT', 'helvetica-bold-oblique'],
    ['TimesNewRomanPS-ItalicMT', 'times-italic'],
    ['DejaVuSans-Bold', 'helvetica-bold'],
    ['LiberationSerif', 'times-roman'],
    ['CourierNew,BoldItalic', 'courier-bold-oblique'],
    ['Symbol', 'symbol'],
    ['F1', undefined],
    ['constructor', undefined],
    [undefined, undefined],
  ]
  for (const [name, font] of fonts) t.equal(standardFontOf(name), font, name ?? 'none')
})

t.test('style declarations are read with their units, and unknown ones are kept', async (t) => {
  t.same(parseStyle('font:bold italic 10px "Times New Roman",serif;text-decoration:underline line-through'), {
    run: {
      family: 'Times New Roman',
      size: 7.5,
      weight: 700,
      italic: true,
      decoration: ['underline', 'line-through'],
    },
    paragraph: {},
  })
  t.same(parseStyle('font-weight:700;font-style:oblique;color:#F0a;text-align:end;line-height:1in;x:y;odd;color:red'), {
    run: { weight: 700, italic: true, color: '#ff00aa' },
    paragraph: { align: 'right', lineHeight: 72 },
    unknown: 'x:y;color:red',
  })
  t.same(parseStyle('font-size:huge;constructor:1;font-weight:400'), {
    run: { weight: 400 },
    paragraph: {},
    unknown: 'font-size:huge;constructor:1',
  })
  t.same(parseStyle(undefined), { run: {}, paragraph: {} })
})

t.test('a string in UTF-16 of either order is read like one of bytes', async (t) => {
  const pdf = new PDFDocument()
  const written = '/Helv 12 Tf 1 0 0 rg'
  const bigEndian = Buffer.from(`\ufeff${written}`, 'utf16le').swap16()
  for (const bytes of [Buffer.from(written), Buffer.from(`\ufeff${written}`, 'utf16le'), bigEndian])
    t.equal(appearanceStringOf(pdf.newByteString(bytes)), written, bytes.toString('hex'))
  const named = Buffer.from([0x2f, 0xe4, 0x20, 0x31, 0x20, 0x54, 0x66])
  t.equal(appearanceStringOf(pdf.newByteString(named)), named.toString('latin1'), 'names of fonts are bytes')
})
