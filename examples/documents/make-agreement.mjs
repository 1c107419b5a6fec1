// Makes agreement.pdf, the document that review.mjs is about: two pages of text, two form fields, and an account number.
//
//     node examples/documents/make-agreement.mjs
import { writeFileSync } from 'node:fs'
import { PDFDocument, StandardFonts } from 'pdf-lib'

const clauses = [
  '1. The supplier delivers the goods within thirty days.',
  '2. The buyer pays within fourteen days of delivery.',
  '3. Either party may end this agreement with a month of notice.',
]

const pdf = await PDFDocument.create()
const font = await pdf.embedFont(StandardFonts.Helvetica)
const date = new Date('2026-11-21T12:00:00Z')
pdf.setTitle('Supply agreement')
pdf.setCreationDate(date)
pdf.setModificationDate(date)

const terms = pdf.addPage([595, 842])
terms.drawText('Supply agreement', { x: 60, y: 760, size: 24, font })
for (const [index, clause] of clauses.entries()) terms.drawText(clause, { x: 60, y: 700 - 40 * index, size: 12, font })

const signatures = pdf.addPage([595, 842])
signatures.drawText('Payment', { x: 60, y: 760, size: 24, font })
signatures.drawText('Account', { x: 60, y: 700, size: 12, font })
signatures.drawText('DE02 1203 0000 0000 2020 51', { x: 160, y: 700, size: 12, font })
signatures.drawText('Buyer', { x: 60, y: 640, size: 12, font })
signatures.drawText('Terms accepted', { x: 60, y: 590, size: 12, font })

const form = pdf.getForm()
form.createTextField('buyer').addToPage(signatures, { x: 160, y: 630, width: 260, height: 24, font })
form.createCheckBox('accepted').addToPage(signatures, { x: 160, y: 586, width: 16, height: 16 })

writeFileSync(new URL('agreement.pdf', import.meta.url), await pdf.save())
