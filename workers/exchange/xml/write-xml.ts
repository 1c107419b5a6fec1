// Writes XML elements as text. Characters that XML cannot contain are left out.

export interface XmlOutput {
  readonly name: string
  /** Attributes in order; those without a value are left out. */
  readonly attributes?: Readonly<Record<string, string | undefined>>
  readonly children?: readonly (XmlOutput | string | Markup)[]
}

/** Markup that is well-formed already. */
export interface Markup {
  readonly markup: string
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
}
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
/** White space that a parser would otherwise turn into spaces in an attribute. */
const lineBreaks = /[\t\n]/g

export function writeXml({ name, attributes = {}, children = [] }: XmlOutput): string {
  const list = Object.entries(attributes)
    .map(([key, value]) => (value === undefined ? '' : ` ${key}="${attributeText(value)}"`))
    .join('')
  if (children.length === 0) return `<${name}${list}/>`
  return `<${name}${list}>${children.map(childText).join('')}</${name}>`
}

function childText(child: XmlOutput | string | Markup): string {
  if (typeof child === 'string') return escaped(child)
  return 'markup' in child ? child.markup : writeXml(child)
}

const attributeText = (value: string): string =>
  escaped(value).replace(lineBreaks, (character) => `&#${character.charCodeAt(0)};`)

/** Returns the text without characters that XML cannot contain. */
export const xmlText = (text: string): string => text.toWellFormed().replace(unwritable, '')

const escaped = (text: string): string =>
  xmlText(text).replace(/[&<>"\r]/g, (character) => entities[character] ?? character)
