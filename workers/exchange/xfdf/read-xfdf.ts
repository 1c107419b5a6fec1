// Reads an XFDF file: the elements of its annotations, and the values of its fields by their full names.
import { JobRefusal } from '../../contract/job-refusal.js'
import { exchangeLimits } from '../exchange-limits.js'
import { tooMany } from '../read-source.js'
import type { FileValue } from '../values/file-value.js'
import { childNamed, elementsIn, parseXmlTree, textIn, type XmlTree } from '../xml/xml-tree.js'
import { plainRichText } from './rich-text-markup.js'
import { xfdfNamespace } from './words.js'

export interface XfdfFile {
  readonly annotations: readonly XmlTree[]
  readonly fields: readonly FileValue[]
}

/** Throws `InvalidArg` for a file that is no XFDF, and `PayloadTooLarge`. */
export function readXfdf(bytes: Uint8Array): XfdfFile {
  const root = parseXmlTree(bytes)
  if (root.name !== 'xfdf' || (root.namespace !== xfdfNamespace && root.namespace !== '')) {
    const { line, column } = root
    throw new JobRefusal('InvalidArg', `The file is no XFDF: its root element is ${root.name.slice(0, 100)}`, {
      line,
      column,
    })
  }
  const [annots, fields] = ['annots', 'fields'].map((name) => childNamed(root, name))
  const annotations = annots === undefined ? [] : elementsIn(annots)
  const { annotationsMax, fieldsMax } = exchangeLimits
  if (annotations.length > annotationsMax) {
    const message = `An import has at most ${annotationsMax} annotations: send the file in parts`
    throw tooMany('annotationsMax', message, annotations.length)
  }
  const values = fields === undefined ? [] : [...valuesIn(fields, '')]
  if (values.length > fieldsMax) throw tooMany('fieldsMax', `An import has at most ${fieldsMax} fields`, values.length)
  return { annotations, fields: values }
}

/** Nested fields have partial names. The parser limits the depth. */
function* valuesIn(parent: XmlTree, above: string): Generator<FileValue> {
  for (const field of elementsIn(parent)) {
    if (field.name !== 'field') continue
    const own = field.attributes.get('name') ?? ''
    const name = above === '' ? own : `${above}.${own}`
    const values = elementsIn(field).filter((child) => child.name === 'value' || child.name === 'value-richtext')
    const plain = values.filter((child) => child.name === 'value')
    const texts = plain.length > 0 ? plain.map(textIn) : values.map(plainRichText)
    if (texts.length > 0) yield { name, value: texts.length === 1 ? (texts[0] ?? '') : texts, isOfXml: true }
    yield* valuesIn(field, name)
  }
}
