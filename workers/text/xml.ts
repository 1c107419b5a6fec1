// Parses the XML inside PDFs: rich text and XMP. Tolerates errors, because producers make them, and has no document
// types or entity declarations, which allow expansion attacks. saxes stops at the first error, and packets of many
// producers have one.
import { readingLimits } from '../objects/reading-limits.js'

export interface XmlElement {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly XmlNode[]
}

export type XmlNode = XmlElement | string

interface Building {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: XmlNode[]
}

/**
 * The pattern is sticky and every alternative consumes characters, so that a hostile tag is read once, not once per
 * character.
 */
const attribute = /\s+|([^\s=/"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'))?|[\s\S]/gy
const tagName = /^\/?([^\s/]+)/
const reference = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(\w{1,8}));/g
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }

/**
 * Sections without elements and their end markers; `isText` = the content counts as text. A missing end marker ends the
 * document.
 */
const sections = [
  { start: '<!--', end: '-->', isText: false },
  { start: '<![CDATA[', end: ']]>', isText: true },
  { start: '<?', end: '?>', isText: false },
  { start: '<!', end: '>', isText: false },
] as const

/** Returns a nameless element with the parsed content. Text without markup is its only child. */
export function parseXml(source: string, elementsMax: number = readingLimits.xmlElementsMax): XmlElement {
  const root: Building = { name: '', attributes: new Map(), children: [] }
  const open: Building[] = [root]
  let elements = 0
  let position = 0
  while (elements <= elementsMax) {
    const start = source.indexOf('<', position)
    addText(open, withoutReferences(source.slice(position, start === -1 ? undefined : start)))
    if (start === -1) break
    const section = sections.find((candidate) => source.startsWith(candidate.start, start))
    const end = section === undefined ? endOfTag(source, start) : source.indexOf(section.end, start)
    if (end === -1) break
    if (section?.isText) addText(open, source.slice(start + section.start.length, end))
    if (section === undefined) elements += takeTag(open, source.slice(start + 1, end))
    position = end + (section?.end.length ?? 1)
  }
  return root
}

/** Returns the index of the closing `>` outside of quotes; -1 if there is none. */
function endOfTag(source: string, start: number): number {
  let position = start + 1
  while (position < source.length) {
    const character = source[position]
    if (character === '>') return position
    if (character === '"' || character === "'") {
      position = source.indexOf(character, position + 1)
      if (position === -1) return -1
    }
    position++
  }
  return -1
}

/** Processes a tag. Returns the number of elements it opened. */
function takeTag(open: Building[], tag: string): 0 | 1 {
  const name = tagName.exec(tag)?.[1]
  if (name === undefined) return 0
  if (tag.startsWith('/')) {
    close(open, name)
    return 0
  }
  const element: Building = { name, attributes: attributesOf(tag.slice(name.length)), children: [] }
  open.at(-1)?.children.push(element)
  if (!tag.endsWith('/') && open.length <= readingLimits.xmlDepthMax) open.push(element)
  return 1
}

export const isElement = (node: XmlNode): node is XmlElement => typeof node !== 'string'

export const elementsIn = ({ children }: XmlElement): readonly XmlElement[] => children.filter(isElement)

/** Returns all text of an element, which is at most `xmlDepthMax` deep. */
export const textIn = ({ children }: XmlElement): string =>
  children.map((child) => (isElement(child) ? textIn(child) : child)).join('')

/** Serialises an element; of a nameless one only its content. */
export function writtenXml({ name, attributes, children }: XmlElement): string {
  const inner = children.map((child) => (isElement(child) ? writtenXml(child) : escaped(child))).join('')
  if (name === '') return inner
  const list = [...attributes].map(([key, value]) => ` ${key}="${escaped(value)}"`).join('')
  return inner === '' ? `<${name}${list}/>` : `<${name}${list}>${inner}</${name}>`
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes text; characters that XML does not allow in any form are omitted. */
const escaped = (text: string): string =>
  text.replace(unwritable, '').replace(/[&<>"]/g, (character) => escapes[character] ?? character)

function addText(open: readonly Building[], text: string): void {
  if (text !== '') open.at(-1)?.children.push(text)
}

/** Closes elements up to the named one; an end tag without an open element is ignored. */
function close(open: Building[], name: string): void {
  const index = open.findLastIndex((element) => element.name === name)
  if (index > 0) open.length = index
}

function attributesOf(source: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>()
  for (const [, name = '', quoted, apostrophed] of source.matchAll(attribute)) {
    if (attributes.size >= readingLimits.xmlAttributesMax) break
    if (name !== '') attributes.set(name, withoutReferences(quoted ?? apostrophed ?? ''))
  }
  return attributes
}

export function withoutReferences(text: string): string {
  return text.replace(reference, (all, decimal: string | undefined, hexadecimal: string | undefined, name?: string) => {
    if (name !== undefined) return Object.hasOwn(entities, name) ? (entities[name] ?? all) : all
    const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '0', 16) : Number.parseInt(decimal, 10)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
}
