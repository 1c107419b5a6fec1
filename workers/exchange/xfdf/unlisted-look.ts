// Look of links and carets that annotations of the API have no members for: the region, border and highlighting of a
// link, the symbol of a caret. An export writes it as attributes, and an import puts it on new annotations.
import type { PDFObject } from 'mupdf'
import type { AnnotatedPage } from '../../annotations/annotated-page.js'
import { putName, putNumbers, type Target } from '../../annotations/entries.js'
import { lookUp } from '../../objects/look-up.js'
import { borderAttributes } from './border-attributes.js'
import { type ElementReader, placeIn, UnusableElement } from './element-reader.js'
import { unlike } from './unlike.js'
import { borderWords } from './words.js'
import { type Attributes, listIn, nameIn } from './written-values.js'

/** Values by their attributes. */
export interface UnlistedLook {
  readonly coords?: readonly number[]
  readonly width?: number
  readonly style?: string
  readonly dashes?: readonly number[]
  readonly Highlight?: string
  readonly symbol?: string
}

const names = {
  link: ['coords', 'width', 'style', 'dashes', 'Highlight'],
  caret: ['symbol'],
} as const satisfies Readonly<Record<string, readonly (keyof UnlistedLook)[]>>

export const linkAttributes = (object: PDFObject): Attributes => {
  const { width, style, dashes } = borderAttributes(object)
  return {
    coords: listIn(object, 'QuadPoints'),
    // Readers draw a border of one point around links that state none.
    width: width ?? '1',
    style,
    dashes,
    Highlight: nameIn(object, 'H'),
  }
}

export const caretAttributes = (object: PDFObject): Attributes => ({
  symbol: nameIn(object, 'Sy') === 'P' ? 'P' : undefined,
})

/** Reads the attributes of an element; those that cannot be used are noted as ignored. */
export function unlistedLook(reader: ElementReader, subtype: string): UnlistedLook {
  const look: Record<string, unknown> = {}
  for (const name of lookUp(names, subtype) ?? []) {
    const value = reader.word(name, parsers[name])
    if (value !== undefined) look[name] = value
  }
  return look
}

const parsers: Readonly<Record<keyof UnlistedLook, (text: string) => unknown>> = {
  coords: (text) => numbersIn(text, (count) => count > 0 && count % 8 === 0),
  width: (text) => numbersIn(text, (count) => count === 1)?.find((width) => width >= 0),
  style: (text) => (Object.values(borderWords).includes(text) ? text : undefined),
  dashes: (text) => numbersIn(text, (count) => count > 0)?.map(Math.abs),
  Highlight: (text) => /^(?:(N)(?:one)?|(I)(?:nvert)?|(O)(?:utline)?|(P)(?:ush)?)$/.exec(text)?.slice(1).find(Boolean),
  // Other programs write the name of the symbol.
  symbol: (text) => lookUp({ P: 'P', paragraph: 'P', None: 'None', none: 'None' }, text),
}

function numbersIn(text: string, isUsable: (count: number) => boolean): readonly number[] | undefined {
  try {
    const numbers = placeIn(text, '')
    return isUsable(numbers.length) ? numbers : undefined
  } catch (error) {
    if (error instanceof UnusableElement) return undefined
    throw error
  }
}

/** Puts the look on an annotation that was just made. */
export function putUnlistedLook(page: AnnotatedPage, object: PDFObject, look: UnlistedLook): void {
  if (Object.keys(look).length === 0) return
  const target = page.target(page.change.touch(object))
  if (look.coords) putNumbers(target, 'QuadPoints', look.coords)
  if (look.Highlight) putName(target, 'H', look.Highlight)
  if (look.symbol) putName(target, 'Sy', look.symbol)
  putBorder(target, look)
  page.changed(object)
}

function putBorder({ object, change }: Target, { width, style, dashes }: UnlistedLook): void {
  if (width === undefined && style === undefined && dashes === undefined) return
  const dash = style === 'dash' || style === undefined ? (dashes ?? (style && [3])) : undefined
  object.put('Border', [0, 0, width ?? 1, ...(dash ? [[...dash]] : [])])
  const [name] = Object.entries(borderWords).find(([, word]) => word === style) ?? []
  if (name === undefined || name === 'S' || name === 'D') return
  const border = change.pdf.newDictionary()
  border.put('W', width ?? 1)
  border.put('S', change.pdf.newName(name))
  object.put('BS', border)
}

/** Returns the attributes of the look that an existing annotation does not have: an update cannot change them. */
export function unlikeLook(object: PDFObject, subtype: string, look: UnlistedLook): readonly string[] {
  const attributes = subtype === 'link' ? linkAttributes(object) : caretAttributes(object)
  const now = Object.entries(attributes).map(([name, text]) => {
    const parse = lookUp(parsers, name)
    return [name, text === undefined ? undefined : parse?.(text)] as const
  })
  return Object.keys(unlike({ ...look }, { ...standardLook, ...defined(Object.fromEntries(now)) }))
}

const standardLook = { style: 'solid', Highlight: 'I', symbol: 'None' }

const defined = (values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
