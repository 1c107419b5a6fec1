// Examples: for every rule of the policy one change that it permits and one that it refuses.
import type { RuleName } from '../../../../../workers/signatures/analysis/policy/rules.js'
import {
  accepted,
  amount,
  box,
  catalog,
  contractTrailer,
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
import type { Case } from './judge.js'
import { type RawObjects, stream } from './raw-file.js'
import { timestampContents } from './timestamp-contents.js'

interface Example {
  readonly accepted: Case
  readonly refused: Case
}

const lta = { level: 'lta' } as const
const fill = { level: 'fill', isCertified: true } as const
const changed = (objects: RawObjects, rest: Omit<Case, 'updates'> = {}): Case => ({ ...rest, updates: [{ objects }] })
const data = stream('certificate')

/** A new signature field with its widget on the first page. */
export const added = (field: string, value: RawObjects = {}): RawObjects => ({
  3: page(`${pageAnnotations} 70 0 R`),
  10: form(`${formFields} 70 0 R`),
  70: field,
  ...value,
})
const noForm = { 1: '<</Type/Catalog/Pages 2 0 R/Metadata 51 0 R>>' }
const withForm = '<</Type/Catalog/Pages 2 0 R/Metadata 51 0 R/AcroForm 71 0 R>>'

export const examples: Readonly<Record<RuleName, Example>> = {
  'file-identifier': {
    accepted: {
      restraints: lta,
      updates: [{ objects: { 80: 'null', 81: '(leftover)' }, trailer: contractTrailer.replace('<0011', '<9911') }],
    },
    refused: {
      updates: [{ objects: {}, trailer: contractTrailer.replace(/\/ID\[.*\]/, '/ID[1 2]') }],
    },
  },
  'private-trailer-entry': {
    accepted: {
      trailer: `${contractTrailer}/DocChecksum/AB`,
      restraints: lta,
      updates: [{ objects: { 80: '(leftover)' }, trailer: contractTrailer }],
    },
    refused: { updates: [{ objects: {}, trailer: `${contractTrailer}/DocChecksum/CD` }] },
  },
  'document-information': {
    accepted: changed({ 50: information('/ModDate(D:20250101000000Z)/Producer(x)') }, { restraints: lta }),
    refused: changed({ 50: information('/ModDate 5 0 R') }),
  },
  'new-document-information': {
    accepted: {
      trailer: '/Root 1 0 R/ID[<00><00>]',
      restraints: lta,
      updates: [
        {
          objects: { 72: '<</CreationDate(D:20240101000000Z)/Creator(x)/ModDate(D:20240101000000Z)>>' },
          trailer: '/Root 1 0 R/Info 72 0 R/ID[<00><00>]',
        },
      ],
    },
    refused: changed({ 50: information('/ModDate(D:20240101000000Z)/CreationDate(D:19990101000000Z)') }),
  },
  'document-metadata': {
    accepted: changed({ 51: metadata('2025-02-02') }, { restraints: lta }),
    refused: changed({ 51: metadata('2025-02-02', 'Another contract') }),
  },
  'pdf-version': {
    accepted: changed({ 1: catalog('/Version/2.0') }, { restraints: lta }),
    refused: changed({ 1: catalog('/Version/1.4') }, { before: { 1: catalog('/Version/1.7') } }),
  },
  'developer-extensions': {
    accepted: changed({ 1: catalog('/Extensions<</ESIC<</BaseVersion/1.7/ExtensionLevel 5>>>>') }, { restraints: lta }),
    refused: changed(
      { 1: catalog('/Extensions<</ADBE<</BaseVersion/1.7/ExtensionLevel 3>>>>') },
      { before: { 1: catalog('/Extensions<</ADBE<</BaseVersion/1.7/ExtensionLevel 5>>>>') } },
    ),
  },
  'security-store': {
    accepted: changed(
      {
        1: catalog('/DSS 73 0 R'),
        73: '<</Type/DSS/Certs[74 0 R]/OCSPs 75 0 R/VRI<</AB<</Cert[74 0 R]/TU(D:20240101000000Z)>>>>>>',
        74: data,
        75: '[76 0 R]',
        76: data,
      },
      { restraints: lta },
    ),
    refused: changed(
      { 73: '<</CRLs(none)>>' },
      { before: { 1: catalog('/DSS 73 0 R'), 73: '<</CRLs[74 0 R]>>', 74: data } },
    ),
  },
  'form-added': {
    accepted: changed(
      {
        1: withForm,
        3: page(`${pageAnnotations} 70 0 R`),
        70: newSignatureField('Stamp', '/V 61 0 R'),
        61: timestamp,
        71: '<</Fields[70 0 R]/SigFlags 3>>',
      },
      { before: { ...noForm, 22: 'null' }, restraints: lta },
    ),
    refused: changed({ 1: withForm, 71: '<</Fields[]/XFA(x)>>' }, { before: noForm }),
  },
  'form-fields': {
    accepted: changed(added(newSignatureField('Stamp', '/V 61 0 R'), { 61: timestamp }), { restraints: lta }),
    refused: changed({ 10: form('20 0 R').replace('[20 0 R]', '(none)') }),
  },
  'signature-flags': {
    accepted: changed({ 10: form(formFields, '/SigFlags 3') }, { before: { 10: form(formFields, '/SigFlags 1') } }),
    refused: changed({ 10: form(formFields, '/SigFlags 1') }),
  },
  'timestamp-field-added': {
    accepted: changed(added(newSignatureField('Stamp', '/V 61 0 R'), { 61: timestamp }), { restraints: lta }),
    refused: changed(added(newSignatureField('Stamp', '/V 61 0 R'), { 61: timestamp }), {
      restraints: { level: 'none' },
    }),
  },
  'timestamp-value': {
    accepted: changed(
      { 23: newSignatureField('Sig2', '/V 61 0 R'), 61: timestamp },
      { before: { 23: newSignatureField('Sig2', '') }, restraints: lta },
    ),
    refused: changed(
      {
        23: newSignatureField('Sig2', '/V 61 0 R'),
        61: `<</Type/DocTimeStamp/SubFilter/ETSI.RFC3161/Contents<${timestampContents}>>>`,
      },
      { before: { 23: newSignatureField('Sig2', '') } },
    ),
  },
  'page-annotations': {
    accepted: changed(added(newSignatureField('Stamp', '/V 61 0 R'), { 61: timestamp }), { restraints: lta }),
    refused: changed({ 15: '(none)' }),
  },
  'field-kids': {
    accepted: changed(
      {
        3: page(`${pageAnnotations} 70 0 R`),
        26: '<</T(group)/Kids[70 0 R]>>',
        70: newSignatureField('Third', '/Parent 26 0 R'),
      },
      { before: { 10: form(`${formFields} 26 0 R`), 26: '<</T(group)/Kids[]>>' }, restraints: fill },
    ),
    refused: changed(
      { 26: '<</T(group)/Kids(none)>>' },
      { before: { 10: form(`${formFields} 26 0 R`), 26: '<</T(group)/Kids[]>>' } },
    ),
  },
  'followed-entry': {
    accepted: changed({ 23: secondSignature('/V 61 0 R'), 61: signature() }, { restraints: fill }),
    refused: changed({ 2: '<</Type/Pages/Kids 79 0 R/Count 2>>', 79: '[6 0 R 3 0 R]' }),
  },
  'unreferenced-object': {
    accepted: changed({ 80: '<</Type/ObjStm>>', 81: stream('leftover') }, { restraints: lta }),
    refused: changed({ 80: '<</Type/ObjStm>>' }, { restraints: { level: 'none' } }),
  },
  certification: {
    accepted: {
      before: { 22: '<</FT/Sig/T(Sig1)>>' },
      restraints: { level: 'annotate', isSigned: false },
      updates: [
        {
          objects: { 1: catalog('/Perms<</DocMDP 61 0 R>>'), 23: secondSignature('/V 61 0 R'), 61: signature() },
        },
      ],
    },
    refused: changed({ 1: catalog('/Perms<</DocMDP 61 0 R>>'), 23: secondSignature('/V 61 0 R'), 61: signature() }),
  },
  'usage-rights': {
    accepted: {
      before: { 1: catalog('/Perms<</UR3 61 0 R>>'), 22: '<</FT/Sig/T(Sig1)>>', 61: signature() },
      restraints: { level: 'annotate', isSigned: false },
      updates: [{ objects: { 1: catalog('/Perms<<>>') } }],
    },
    refused: {
      before: { 1: catalog('/Perms<</UR3 61 0 R>>'), 61: signature() },
      updates: [{ objects: { 1: catalog('/Perms<<>>') } }],
    },
  },
  'need-appearances': {
    accepted: changed(
      { 10: form() },
      { before: { 10: form(formFields, '/SigFlags 3/NeedAppearances true') }, restraints: fill },
    ),
    refused: changed({ 10: form(formFields, '/SigFlags 3/NeedAppearances true') }),
  },
  'form-resources': {
    accepted: changed(
      {
        10: form().replace('/Helv 5 0 R', '/Helv 5 0 R/Cour 77 0 R'),
        77: '<</Type/Font/Subtype/Type1/BaseFont/Courier>>',
      },
      { restraints: fill },
    ),
    refused: changed({
      10: form().replace('/Helv 5 0 R', '/Helv 77 0 R'),
      77: '<</Type/Font/Subtype/Type1/BaseFont/Courier>>',
    }),
  },
  'form-default-appearance': {
    accepted: changed({ 10: form() }, { before: { 10: form().replace('/DA(/Helv 0 Tf 0 g)', '') }, restraints: fill }),
    refused: changed({ 10: form().replace('0 g', '1 g') }),
  },
  'field-value': {
    accepted: changed({ 20: amount('999', 78), 78: textAppearance('999') }, { restraints: fill }),
    refused: changed({
      20: amount('999', 78).replace('(999)', ' 79 0 R'),
      78: textAppearance('999'),
      79: stream('999'),
    }),
  },
  'field-read-only': {
    accepted: changed({ 20: amount('100', 12, '/Ff 1') }, { restraints: fill }),
    refused: changed({ 20: amount('100', 12, '/Ff 8193') }),
  },
  'widget-type': {
    accepted: changed(
      { 20: amount('100') },
      { before: { 20: amount('100').replace('/Type/Annot', '') }, restraints: fill },
    ),
    refused: changed({ 20: amount('100').replace('/Type/Annot', '/Type/Other') }),
  },
  'signature-widget-type': {
    accepted: changed(
      { 23: secondSignature('') },
      { before: { 23: secondSignature('').replace('/Type/Annot', '') }, restraints: fill },
    ),
    refused: changed({ 23: secondSignature('').replace('/Type/Annot', '') }),
  },
  'field-state': {
    accepted: changed({ 24: accepted('/V/Yes/AS/Yes') }, { restraints: fill }),
    refused: changed({ 24: accepted('/V/Off/AS/Yes') }),
  },
  'field-appearance': {
    accepted: changed({ 20: amount('999', 78), 78: textAppearance('999') }, { restraints: fill }),
    refused: changed({ 20: amount('100', 78), 78: textAppearance('900000') }),
  },
  'widget-date': {
    accepted: changed({ 21: remark('/DA(/Helv 12 Tf 0 g)/V(hi)/M(D:20250101000000Z)') }, { restraints: fill }),
    refused: changed({ 21: remark('/DA(/Helv 12 Tf 0 g)/M 5') }),
  },
  'signature-value': {
    accepted: changed({ 23: secondSignature('/V 61 0 R'), 61: signature() }, { restraints: fill }),
    refused: changed({ 23: secondSignature('/V 61 0 R'), 61: '<</Type/Sig/ByteRange[0 10 20 30]/Contents<00>>>' }),
  },
  'signature-appearance': {
    accepted: changed(
      { 23: secondSignature('/V 61 0 R/AP<</N 78 0 R>>'), 61: signature(), 78: box('0 0 1') },
      { restraints: fill },
    ),
    refused: changed({ 23: secondSignature('/AP<</N 78 0 R>>'), 78: box('0 0 1') }),
  },
  'signature-widget-flags': {
    accepted: changed(
      { 23: secondSignature('/V 61 0 R').replace('/F 4', '/F 132'), 61: signature() },
      { restraints: fill },
    ),
    refused: changed({ 23: secondSignature('/V 61 0 R').replace('/F 4', '/F 6'), 61: signature() }),
  },
  'signature-lock': {
    accepted: changed(
      { 23: secondSignature('/V 61 0 R/Lock<</Type/SigFieldLock/Action/All>>'), 61: signature() },
      { restraints: fill },
    ),
    refused: changed({ 23: secondSignature('/Lock<</Type/SigFieldLock/Action/All>>') }),
  },
  'signature-page': {
    accepted: changed(
      { 23: secondSignature('/V 61 0 R'), 61: signature() },
      { before: { 23: secondSignature('').replace('/P 3 0 R', '') }, restraints: fill },
    ),
    refused: changed({ 23: secondSignature('').replace('/P 3 0 R', '/P 6 0 R') }),
  },
  'signature-field-added': {
    accepted: changed(added(newSignatureField('Third', '/V 61 0 R'), { 61: signature() }), { restraints: fill }),
    refused: changed(added(newSignatureField('Third', '')), { restraints: lta }),
  },
  'visible-signature-field-added': {
    accepted: changed(added(newSignatureField('Third', '/V 61 0 R', '10 10 90 90'), { 61: signature() })),
    refused: changed(added(newSignatureField('Third', '/V 61 0 R', '10 10 90 90'), { 61: signature() }), {
      restraints: { isCertified: true },
    }),
  },
  'annotation-added': {
    accepted: changed(
      { 3: page(`${pageAnnotations} 90 0 R`), 90: highlight('/AP<</N 78 0 R>>'), 78: box('1 1 0') },
      { restraints: { isCertified: true } },
    ),
    refused: changed({ 3: page(`${pageAnnotations} 90 0 R`), 90: stamp('') }, { restraints: { isCertified: true } }),
  },
  'annotation-removed': {
    accepted: changed(
      { 3: page(pageAnnotations.replace('30 0 R ', '')), 30: null },
      { restraints: { isCertified: true } },
    ),
    refused: changed({ 3: page(pageAnnotations.replace('31 0 R ', '')), 31: null }),
  },
  'annotation-changed': {
    accepted: changed({ 30: highlight('/Contents(Look)/M(D:20250101000000Z)') }, { restraints: { isCertified: true } }),
    refused: changed({ 31: stamp('/Contents(Look)') }),
  },
  'annotation-flags': {
    accepted: changed({ 30: highlight('/F 128') }),
    refused: changed({ 30: highlight('/F 2') }),
  },
  'annotation-appearance': {
    accepted: changed({ 30: highlight('/AP<</N 78 0 R>>'), 78: box('1 1 0') }, { restraints: { isCertified: true } }),
    refused: changed({ 31: stamp('').replace('33 0 R', '78 0 R'), 78: box('0 0 0') }),
  },
}
