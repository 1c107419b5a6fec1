// Later edits of the contract by their kinds, each with the level from which on it is permitted. Every edit is a section of
// its own, written byte by byte.
import type { ProtectionLevel } from '../../../../../workers/contract/signatures/protection.js'
import {
  accepted,
  amount,
  box,
  catalog,
  color,
  form,
  formFields,
  highlight,
  information,
  metadata,
  newSignatureField,
  page,
  pageAnnotations,
  remark,
  secondSignature,
  signature,
  stamp,
  textAppearance,
  timestamp,
} from './contract.js'
import { type RawObjects, stream } from './raw-file.js'

/** Objects that several edits change together. */
export class Draft {
  annotations = pageAnnotations.split(/(?<=R) /)
  fields = formFields.split(/(?<=R) /)
  catalogEntries = ''
  formEntries = '/SigFlags 3'

  /** `entries` are further ones of the catalog before the edits. */
  constructor(readonly entries: string) {}

  get page(): RawObjects {
    return { 3: page(this.annotations.join(' ')) }
  }

  get form(): RawObjects {
    return { 10: form(this.fields.join(' '), this.formEntries) }
  }

  get catalog(): RawObjects {
    return { 1: catalog(`${this.entries}${this.catalogEntries}`) }
  }

  addAnnotation(number: number): RawObjects {
    this.annotations.push(`${number} 0 R`)
    return this.page
  }

  removeAnnotation(number: number): RawObjects {
    this.annotations = this.annotations.filter((item) => item !== `${number} 0 R`)
    return this.page
  }

  addField(number: number): RawObjects {
    this.fields.push(`${number} 0 R`)
    return { ...this.addAnnotation(number), ...this.form }
  }
}

export interface LaterEdit {
  /** `never`: no level permits it. */
  readonly level: Exclude<ProtectionLevel, 'none'> | 'never'
  readonly objects: (draft: Draft, text: string) => RawObjects
}

const script = '<</S/JavaScript/JS(app.alert\\(1\\))>>'

/** Edits of objects that no other edit here changes, so that any of them may be made together. */
export const laterEdits = {
  date: { level: 'lta', objects: (_, text) => ({ 50: information(`/ModDate(${text})/Producer(x)`) }) },
  metadata: { level: 'lta', objects: (_, text) => ({ 51: metadata(text) }) },
  leftover: { level: 'lta', objects: (_, text) => ({ 110: stream(text), 111: `(${text})` }) },
  store: {
    level: 'lta',
    objects: (draft, text) => {
      draft.catalogEntries += '/DSS 112 0 R'
      return { ...draft.catalog, 112: '<</Certs[113 0 R]>>', 113: stream(text) }
    },
  },
  timestamp: {
    level: 'lta',
    objects: (draft) => ({
      ...draft.addField(114),
      114: newSignatureField('Time', '/V 115 0 R'),
      115: timestamp,
    }),
  },
  fillAmount: { level: 'fill', objects: (_, text) => ({ 20: amount(text, 116), 116: textAppearance(text) }) },
  fillRemark: {
    level: 'fill',
    objects: (_, text) => ({
      21: remark(`/DA(/Helv 12 Tf 0 g)/V(${text})/AP<</N 117 0 R>>`),
      117: textAppearance(text),
    }),
  },
  check: { level: 'fill', objects: () => ({ 24: accepted('/V/Yes/AS/Yes') }) },
  choose: { level: 'fill', objects: () => ({ 25: color('/V(g)') }) },
  sign: {
    level: 'fill',
    objects: () => ({ 23: secondSignature('/V 118 0 R/AP<</N 119 0 R>>'), 118: signature(), 119: box('0 0 1') }),
  },
  signInvisibly: {
    level: 'fill',
    objects: (draft) => ({ ...draft.addField(120), 120: newSignatureField('Third', '/V 121 0 R'), 121: signature() }),
  },
  comment: {
    level: 'annotate',
    objects: (draft, text) => ({
      ...draft.addAnnotation(122),
      122: highlight(`/Contents(${text})/AP<</N 123 0 R>>`),
      123: box('1 1 0'),
    }),
  },
  editComment: { level: 'annotate', objects: (_, text) => ({ 30: highlight(`/Contents(${text})`) }) },
  removeComment: { level: 'annotate', objects: (draft) => ({ ...draft.removeAnnotation(32), 32: null, 34: null }) },
  replaceText: { level: 'never', objects: (_, text) => ({ 4: stream(`BT /F1 12 Tf (${text}) Tj ET`) }) },
  emptyOverlay: { level: 'never', objects: () => ({ 8: box('1 1 1') }) },
  replaceFont: { level: 'never', objects: () => ({ 5: '<</Type/Font/Subtype/Type1/BaseFont/Symbol>>' }) },
  redraw: { level: 'never', objects: () => ({ 40: box('1 1 1') }) },
  hideStamp: { level: 'never', objects: () => ({ 31: stamp('/F 2') }) },
  destination: { level: 'never', objects: (_, text) => ({ 54: `<</Names[(${text})[3 0 R/Fit]]>>` }) },
  run: {
    level: 'never',
    objects: (draft) => {
      draft.catalogEntries += `/OpenAction${script}`
      return draft.catalog
    },
  },
  addTextField: {
    level: 'never',
    objects: (draft) => ({ ...draft.addField(124), 124: newSignatureField('New', '').replace('/FT/Sig', '/FT/Tx') }),
  },
  removeField: {
    level: 'never',
    objects: (draft) => {
      draft.fields = draft.fields.filter((item) => item !== '25 0 R')
      return draft.form
    },
  },
  removePage: { level: 'never', objects: () => ({ 2: '<</Type/Pages/Kids[3 0 R]/Count 1>>' }) },
  removeSignature: { level: 'never', objects: () => ({ 60: 'null' }) },
} as const satisfies Readonly<Record<string, LaterEdit>>

export type LaterEditName = keyof typeof laterEdits
