// Files that mutations start from: those of the tests, and a part of the matrix where qpdf is installed.
import { coveringNames } from '../../matrix/files/covering.js'
import { madeFile } from '../../matrix/files/made.js'
import { twoPages } from '../../support/pdf/damaged-pdf.js'
import { formPdf } from '../../support/pdf/form-pdf.js'
import { needs } from '../../support/pdf/judges.js'
import { everyAnnotation, everyField, everyPage } from '../../support/pdf/rich-pdf.js'
import { docMdp, signedPdf, withRevision } from '../../support/pdf/signed-pdf.js'
import type { Draw } from '../draw.js'

export interface PdfBase {
  readonly name: string
  readonly bytes: Buffer
  readonly password?: string
}

const certified = () => signedPdf({ catalog: '/Perms<</DocMDP 6 0 R>>', signature: docMdp(3) })
const plain: Readonly<Record<string, () => Buffer>> = {
  annotations: everyAnnotation,
  fields: everyField,
  pages: everyPage,
  form: formPdf,
  'two pages': twoPages,
  signed: signedPdf,
  certified,
  'a later revision': () => withRevision(certified(), { 8: '(later)' }),
}

const ofMatrix = needs('qpdf').skip === false ? coveringNames() : []
const made = new Map<string, Promise<PdfBase>>()

export function drawBase(draw: Draw): Promise<PdfBase> {
  const isOfMatrix = ofMatrix.length > 0 && draw.happens(0.6)
  const name = isOfMatrix ? draw.one(ofMatrix) : draw.one(Object.keys(plain))
  const known = made.get(name) ?? (isOfMatrix ? baseOfMatrix(name) : baseOf(name))
  made.set(name, known)
  return known
}

const baseOf = async (name: string): Promise<PdfBase> => ({ name, bytes: plain[name]?.() ?? Buffer.alloc(0) })

async function baseOfMatrix(name: string): Promise<PdfBase> {
  const { bytes, password } = madeFile(name)
  return { name, bytes: Buffer.from(await bytes()), ...(password !== undefined && { password }) }
}
