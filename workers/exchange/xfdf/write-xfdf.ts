// Writes an XFDF file: annotations, values of fields, or both.
import type { Reading } from '../../document/reading.js'
import { type FieldNode, fieldTree } from '../values/field-tree.js'
import { fieldEntries } from '../values/field-values.js'
import { writeXml, type XmlOutput } from '../xml/write-xml.js'
import type { AnnotationNames } from './annotation-names.js'
import { identityNamespace, xfdfNamespace } from './words.js'
import { annotationElements } from './write-annotations.js'

export interface XfdfParts {
  /** Names of the annotations; undefined leaves the annotations out. */
  readonly annotations: AnnotationNames | undefined
  readonly values: boolean
}

/** Returns the file in UTF-8. */
export function writeXfdf(reading: Reading, { annotations, values }: XfdfParts): Uint8Array {
  const parts: XmlOutput[] = [
    ...(annotations ? [{ name: 'annots', children: annotationElements(reading, annotations) }] : []),
    ...(values ? [{ name: 'fields', children: fieldTree(fieldEntries(reading)).map(fieldElement) }] : []),
  ]
  const lines = parts.map(({ name, children = [] }) => [`<${name}>`, ...children.map(lineOf), `</${name}>`].join('\n'))
  const text = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<xfdf xmlns="${xfdfNamespace}" xmlns:steward="${identityNamespace}" xml:space="preserve">`,
    ...lines,
    '</xfdf>',
    '',
  ].join('\n')
  return Buffer.from(text, 'utf8')
}

const lineOf = (child: NonNullable<XmlOutput['children']>[number]): string =>
  typeof child === 'object' && 'name' in child ? writeXml(child) : ''

function fieldElement({ name, entry, children }: FieldNode): XmlOutput {
  const values = entry === undefined ? [] : [entry.value].flat()
  return {
    name: 'field',
    attributes: { name },
    children: [...values.map((value) => ({ name: 'value', children: [value] })), ...children.map(fieldElement)],
  }
}
