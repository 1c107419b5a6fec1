// Published attacks on signed files, and tricks with objects that have two uses at once.
import t from 'tap'
import {
  accepted,
  amount,
  box,
  catalog,
  contractTrailer,
  form,
  formFields,
  highlight,
  newSignatureField,
  page,
  pageAnnotations,
  remark,
  secondSignature,
  signature,
  stamp,
  textAppearance,
} from './support/contract.js'
import { added } from './support/examples.js'
import { type Case, judge, refusedBy } from './support/judge.js'
import { type RawObjects, stream } from './support/raw-file.js'

const changed = (objects: RawObjects, rest: Omit<Case, 'updates'> = {}): Case => ({ ...rest, updates: [{ objects }] })
const filled: RawObjects = { 20: amount('999', 78), 78: textAppearance('999') }
const certified = { restraints: { isCertified: true } }
const pageWith = (entries: string): string => page().replace('/Contents 4 0 R', entries)
/** Content that continues after its first end if its length, object 79, is 42 and not 12. */
const lengthened = '<</Length 79 0 R>>\nstream\nBT (x) Tj ET\nendstream\nendobj\nBT (y) Tj ET\nendstream'
const script = '<</S/JavaScript/JS(app.alert\\(1\\))>>'

/** Title of the attack, the changed file, and the rule that must refuse it. */
const attacks: readonly (readonly [string, Case, string])[] = [
  // Shadow attacks.
  [
    'hide: an overlay of the page is emptied',
    changed({ 8: stream('', '/Type/XObject/Subtype/Form/BBox[0 0 200 20]') }),
    'page-content',
  ],
  ['hide: a stamp over text becomes hidden', changed({ 31: stamp('/F 2') }), 'annotation-flags'],
  ['hide: a stamp over text is freed', changed({ 31: null }), 'annotation-removed'],
  [
    'hide: a stamp over text leaves the page',
    changed({ 3: page(pageAnnotations.replace('31 0 R', '')) }),
    'annotation-removed',
  ],
  ['hide: a stamp over text moves', changed({ 31: stamp('').replace('60 690', '61 690') }), 'annotation-changed'],
  ['hide: the picture of a stamp is replaced in place', changed({ 33: box('0 0 0') }), 'page-content'],
  [
    'replace: the font of page and form gets an encoding',
    changed({ 5: '<</Type/Font/Subtype/Type1/BaseFont/Symbol>>' }),
    'page-content',
  ],
  [
    'replace: the font of the form alone is replaced',
    changed({ 10: form().replace('Helv 5', 'Helv 78'), 78: '<</Type/Font/Subtype/Type1/BaseFont/Symbol>>' }),
    'form-resources',
  ],
  [
    'replace: the default appearance of a field changes',
    changed({ 20: amount('100').replace('0 g', '1 g') }),
    'no-rule',
  ],
  [
    'replace: the value stays and the appearance shows another',
    changed({ 20: amount('100', 78), 78: textAppearance('900000') }),
    'field-appearance',
  ],
  ['replace: the appearance is overwritten in place', changed({ 12: textAppearance('900000') }), 'field-appearance'],
  [
    'replace: the new appearance shows another text than the new value',
    changed({ 20: amount('999', 78), 78: textAppearance('900000') }),
    'field-appearance',
  ],
  [
    'replace: the new appearance draws a picture over the value',
    changed({
      20: amount('999', 78),
      78: textAppearance('999')
        .replace(' Tj ET', ' Tj ET /X Do')
        .replace(/Length (\d+)/, (_, n) => `Length ${Number(n) + 6}`),
    }),
    'field-appearance',
  ],
  [
    'replace: appearances of the states of a checkbox are exchanged',
    changed({ 24: accepted('/V/Yes/AS/Yes').replace('/Yes 40 0 R/Off 41 0 R', '/Yes 41 0 R/Off 40 0 R') }),
    'field-appearance',
  ],
  [
    'replace: the appearance of a state is overwritten with its value',
    changed({ 24: accepted('/V/Yes/AS/Yes'), 40: box('1 1 1') }),
    'field-appearance',
  ],
  [
    'hide and replace: the catalog is another object',
    { updates: [{ objects: { 99: catalog('/Lang(x)') }, trailer: contractTrailer.replace('1 0 R', '99 0 R') }] },
    'catalog-replaced',
  ],
  [
    'hide and replace: the catalog names other pages',
    changed({ 1: catalog().replace('Pages 2', 'Pages 98'), 98: '<</Type/Pages/Kids[6 0 R]/Count 1>>' }),
    'page-tree',
  ],
  [
    'hide and replace: the list of pages is changed',
    changed({ 2: '<</Type/Pages/Kids[6 0 R]/Count 1>>' }),
    'page-tree',
  ],
  ['hide and replace: a page is freed', changed({ 6: null }), 'page-tree'],
  // Universal signature forgery and wrapping: the signature is changed, and the file goes on without it.
  ['forgery: the signature becomes null', changed({ 60: 'null' }), 'signature-changed'],
  ['forgery: the signature is freed', changed({ 60: null }), 'signature-changed'],
  ['forgery: the range of signed bytes is removed', changed({ 60: '<</Type/Sig/Contents<00>>>' }), 'signature-changed'],
  [
    'forgery: the field names another signature',
    changed({ 22: newSignatureField('Sig1', '/V 61 0 R', '100 400 300 450'), 61: signature() }),
    'signature-changed',
  ],
  [
    'forgery: the field of the signature leaves the form',
    changed({ 10: form(formFields.replace('22 0 R', '')) }),
    'field-removed',
  ],
  ['forgery: the form is removed', changed({ 1: catalog().replace('/AcroForm 10 0 R', '') }), 'field-removed'],
  [
    'wrapping: a signature that signs other bytes',
    changed({ 23: secondSignature('/V 61 0 R'), 61: signature().replace('[0 1', '[9 1') }),
    'signature-value',
  ],
  // Incremental saving attacks.
  ['saving: page content is replaced', changed({ 4: stream('BT /F1 12 Tf (900) Tj ET') }), 'page-content'],
  ['saving: a page names other content', changed({ 3: pageWith('/Contents 95 0 R'), 95: stream('') }), 'no-rule'],
  ['saving: a page is rotated', changed({ 3: page(pageAnnotations, '/Rotate 90') }), 'no-rule'],
  ['saving: a page gets another box', changed({ 3: page().replace('595 842', '595 421') }), 'no-rule'],
  ['saving: an open action is added', changed({ 1: catalog(`/OpenAction${script}`) }), 'no-rule'],
  ['saving: optional content is added', changed({ 1: catalog('/OCProperties<</OCGs[]/D<<>>>>') }), 'no-rule'],
  ['saving: names are added', changed({ 14: `<</Names[(first)[6 0 R/Fit]]>>` }), 'other-object'],
  [
    'saving: a script is named',
    changed({ 1: catalog().replace('/Dests', `/JavaScript<</Names[(a)${script}]>>/Dests`) }),
    'no-rule',
  ],
  ['saving: the order of calculations changes', changed({ 10: form(formFields, '/SigFlags 3/CO[20 0 R]') }), 'no-rule'],
  ['saving: a field gets an action', changed({ 20: amount('100', 12, `/AA<</K${script}>>`) }), 'no-rule'],
  ['saving: a field moves', changed({ 20: amount('100').replace('100 600', '100 500') }), 'no-rule'],
  ['saving: a field becomes hidden', changed({ 20: amount('100').replace('/F 4', '/F 2') }), 'no-rule'],
  [
    'saving: a field is added',
    changed(added(newSignatureField('New', '').replace('/FT/Sig', '/FT/Tx'))),
    'field-added',
  ],
  ['saving: a field leaves the form', changed({ 10: form(formFields.replace('21 0 R', '')) }), 'field-removed'],
  ['saving: a widget leaves its page', changed({ 3: page(pageAnnotations.replace('21 0 R', '')) }), 'widget-removed'],
  ['saving: a widget is shown on a second page', changed({ 15: '[20 0 R]' }), 'widget-added'],
  ['saving: fields exchange their names', changed({ 20: amount('100').replace('(amount)', '(remark)') }), 'no-rule'],
  ['saving: the title changes', changed({ 50: '<</Title(Another)>>' }), 'no-rule'],
  // Attacks on certifications.
  [
    'evil annotation: free text',
    changed(
      {
        3: page(`${pageAnnotations} 90 0 R`),
        90: '<</Type/Annot/Subtype/FreeText/Rect[0 0 9 9]/Contents(x)/DA(/Helv 9 Tf)>>',
      },
      certified,
    ),
    'annotation-added',
  ],
  [
    'evil annotation: a kind that nobody knows',
    changed({ 3: page(`${pageAnnotations} 90 0 R`), 90: '<</Type/Annot/Subtype/Invented/Rect[0 0 9 9]>>' }),
    'annotation-added',
  ],
  [
    'evil annotation: a link that runs a script',
    changed({ 3: page(`${pageAnnotations} 90 0 R`), 90: `<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A${script}>>` }),
    'annotation-added',
  ],
  [
    'evil annotation: a comment with an action',
    changed({ 3: page(`${pageAnnotations} 90 0 R`), 90: highlight(`/AA<</E${script}>>`) }),
    'annotation-added',
  ],
  [
    'evil annotation: a comment with optional content',
    changed({ 30: highlight('/OC<</Type/OCG/Name(x)>>') }),
    'no-rule',
  ],
  [
    'sneaky signature: a visible field in a certified document',
    changed(added(newSignatureField('Third', '/V 61 0 R', '10 10 400 400'), { 61: signature() }), certified),
    'visible-signature-field-added',
  ],
  [
    'sneaky signature: an empty field gets an appearance',
    changed({ 23: secondSignature('/AP<</N 78 0 R>>'), 78: box('1 1 1') }, certified),
    'signature-appearance',
  ],
  [
    'sneaky signature: an empty field moves and is signed',
    changed({ 23: secondSignature('/V 61 0 R').replace('100 300', '0 0'), 61: signature() }, certified),
    'no-rule',
  ],
  [
    'permissions are removed',
    changed({ 1: catalog() }, { before: { 1: catalog('/Perms<</DocMDP 60 0 R>>') } }),
    'certification',
  ],
  // Objects with two uses.
  [
    'alias: the appearance of a filled field is drawn by a page',
    changed(
      { 20: amount('999'), 12: textAppearance('999') },
      { before: { 3: page().replace('/Fm 8 0 R', '/Fm 12 0 R') } },
    ),
    'page-content',
  ],
  [
    'alias: the appearance of a filled field is that of another field',
    changed({ 20: amount('999'), 12: textAppearance('999') }, { before: { 21: remark('/AP<</N 12 0 R>>') } }),
    'field-appearance',
  ],
  [
    'alias: a field is the graphics state of a page',
    changed(
      { 30: highlight('/CA 0') },
      { before: { 3: page().replace('/XObject<<', '/ExtGState<</G 30 0 R>>/XObject<<') } },
    ),
    'page-content',
  ],
  [
    'alias: a page refers to an appearance that is made later',
    changed(filled, { before: { 6: '<</Type/Page/Parent 2 0 R/Contents 78 0 R/Annots 15 0 R>>' } }),
    'dangling-reference',
  ],
  [
    'alias: a page refers to an annotation that is made later',
    changed({ 90: highlight('') }, { before: { 15: '[90 0 R]' } }),
    'dangling-reference',
  ],
  [
    'alias: an object that is null in the signed file is defined',
    changed({ 90: highlight('') }, { before: { 15: '[90 0 R]', 90: 'null' } }),
    'dangling-reference',
  ],
  [
    'alias: a script is a signature dictionary that is made later',
    changed(
      { 23: secondSignature('/V 61 0 R'), 61: signature('/S/JavaScript/JS(x)') },
      { before: { 1: catalog('/OpenAction 61 0 R') } },
    ),
    'dangling-reference',
  ],
  [
    'alias: the list of annotations is a list of scripts',
    changed(
      { 3: page().replace(/\/Annots\[.*\]/, '/Annots 16 0 R'), 16: `[${pageAnnotations} 90 0 R]`, 90: highlight('') },
      {
        before: {
          3: page().replace(/\/Annots\[.*\]/, '/Annots 16 0 R'),
          16: `[${pageAnnotations}]`,
          14: '<</Names 16 0 R>>',
        },
      },
    ),
    'other-object',
  ],
  [
    'alias: an inherited value comes from an object beside the form',
    changed({ 26: '<</FT/Tx/V(2)>>' }, { before: { 21: remark('/Parent 26 0 R'), 26: '<</FT/Tx/V(1)>>' } }),
    'other-object',
  ],
  [
    'alias: the length of page content is the length of an appearance',
    changed({ 20: amount('999'), 12: textAppearance('999'), 79: '42' }, { before: { 4: lengthened, 79: '12' } }),
    'page-content',
  ],
  [
    'generations: a number in use is given away',
    { updates: [{ objects: { 30: highlight('') }, generations: { 30: 1 } }] },
    'generation-changed',
  ],
]

for (const [title, attack, rule] of attacks) {
  t.test(`${title}: refused`, async (t) => {
    const { verdict, findings } = judge(t, attack)
    t.equal(verdict, 'forbidden', JSON.stringify(findings))
    t.ok(refusedBy(findings).includes(rule), `${rule} is among ${refusedBy(findings)}`)
  })
}
