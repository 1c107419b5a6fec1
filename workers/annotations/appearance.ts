// Writes a drawing into its annotation: the form XObject, its blending with the page, and the rectangle that it
// fills.

import type { PDFObject } from 'mupdf'
import type { Change } from '../change/change.js'
import type { BlendMode } from '../contract/blend-mode.js'
import type { PdfRect } from '../contract/pdf-rect.js'
import { storedBytes } from '../engine/engine-memory.js'
import { ownKeys } from '../objects/own-keys.js'
import { booleanOf, entriesOf, entry, isStream, objectNumberOf } from '../objects/values.js'
import { objectsOfEmbedded } from '../text/embedded-subset.js'
import type { Sheet } from './drawing/sheet.js'
import { wordFor } from './entries.js'
import type { PageStack } from './page-stack.js'
import { blendModes } from './reading/blend-modes.js'

/** Opacity and blend mode of the drawing as a whole. */
export interface Blend {
  readonly opacity: number
  readonly blendMode: BlendMode
}

/** Names in the resources of the outer form, which exists only if the drawing is blended. */
const stateName = 'STWDState'
export const groupName = 'STWDGroup'
/** Maximum number of entries of a drawing's dictionary, and of its fonts. */
const entriesMax = 64

export class Appearance {
  constructor(
    private readonly change: Change,
    private readonly annotation: PDFObject,
    /** Page of the annotation. */
    private readonly page: { readonly siblings: PageStack },
  ) {}

  /** Normal appearance, if it is one drawing without states. */
  get normal(): PDFObject | undefined {
    const normal = entry(this.annotation, 'AP', 'N')
    return isStream(normal) && objectNumberOf(normal) !== undefined ? normal : undefined
  }

  /** Appearance that was drawn by this program for this annotation only. */
  get own(): PDFObject | undefined {
    const { normal } = this
    return normal !== undefined && isOwn(normal) && !this.#isShared(normal) ? normal : undefined
  }

  /** Draws the sheet, and returns whether the drawing has changed. */
  draw(sheet: Sheet, bounds: PdfRect, { opacity, blendMode }: Blend): boolean {
    const before = this.#signature()
    const own = this.own
    const resources = sheet.resources(this.change.pdf)
    const isMixed = opacity < 1 || blendMode !== 'normal'
    const inner = own === undefined ? undefined : innerOf(own)
    if (own !== undefined) this.change.hide(...embeddedIn(inner ?? own))
    const drawing = isMixed ? this.#blended(own, { sheet, bounds, resources }, { opacity, blendMode }) : undefined
    if (!isMixed && inner !== undefined) this.change.hide(inner)
    const normal = drawing ?? this.#form(own, { content: sheet.content, bounds, resources })
    this.#put(normal)
    return before !== this.#signature()
  }

  /** Returns the objects that are removed with the annotation, and none that others use. */
  objects(): readonly PDFObject[] {
    const own = this.own
    return own === undefined ? [] : objectsOfDrawing(own)
  }

  #blended(own: PDFObject | undefined, { sheet, bounds, resources }: Drawn, { opacity, blendMode }: Blend): PDFObject {
    const { pdf } = this.change
    const inner = own === undefined ? undefined : innerOf(own)
    const group = this.#form(inner, { content: sheet.content, bounds, resources })
    group.put('Group', { S: pdf.newName('Transparency'), I: true })
    const state = pdf.newDictionary()
    state.put('Type', pdf.newName('ExtGState'))
    state.put('CA', opacity)
    state.put('ca', opacity)
    state.put('BM', pdf.newName(wordFor(blendModes, blendMode) ?? 'Normal'))
    const outer = pdf.newDictionary()
    outer.put('ExtGState', { [stateName]: state })
    outer.put('XObject', { [groupName]: group })
    return this.#form(own, { content: `/${stateName} gs\n/${groupName} Do\n`, bounds, resources: outer })
  }

  #form(former: PDFObject | undefined, { content, bounds, resources }: FormParts): PDFObject {
    const { pdf } = this.change
    const form = former === undefined ? pdf.addStream(content, {}) : this.change.touch(former)
    if (former !== undefined) {
      for (const [key] of entriesOf(form, entriesMax)) if (key !== 'Length') form.delete(key)
      form.writeStream(content)
    }
    form.put('Type', pdf.newName('XObject'))
    form.put('Subtype', pdf.newName('Form'))
    form.put('BBox', [bounds.left, bounds.bottom, bounds.right, bounds.top])
    form.put('Resources', resources)
    form.put(ownKeys.drawing, true)
    return form
  }

  #put(normal: PDFObject): void {
    this.annotation.put('AP', { N: normal })
    this.annotation.delete('AS')
  }

  /** Returns a text that is equal for drawings that look the same. */
  #signature(): string {
    const { normal } = this
    if (normal === undefined) return ''
    const inner = innerOf(normal)
    return [normal, ...(inner === undefined ? [] : [inner])].map(textOfForm).join('\n')
  }

  #isShared(normal: PDFObject): boolean {
    const number = normal.asIndirect()
    if (this.change.isNew(number)) return false
    return [...this.page.siblings.usersOfDrawing(number)].some((user) => user !== objectNumberOf(this.annotation))
  }
}

interface Drawn {
  readonly sheet: Sheet
  readonly bounds: PdfRect
  readonly resources: PDFObject
}

interface FormParts {
  readonly content: string
  readonly bounds: PdfRect
  readonly resources: PDFObject
}

const isOwn = (form: PDFObject): boolean => booleanOf(entry(form, ownKeys.drawing)) ?? false

/** Returns the drawing inside an outer form that only blends it. */
function innerOf(form: PDFObject): PDFObject | undefined {
  const inner = entry(form, 'Resources', 'XObject', groupName)
  return isOwn(form) && isStream(inner) && isOwn(inner) ? inner : undefined
}

function objectsOfDrawing(form: PDFObject): readonly PDFObject[] {
  if (!isOwn(form)) return []
  const inner = innerOf(form)
  return inner === undefined ? [form, ...embeddedIn(form)] : [form, inner, ...embeddedIn(inner)]
}

const embeddedIn = (form: PDFObject): readonly PDFObject[] =>
  entriesOf(entry(form, 'Resources', 'Font'), entriesMax).flatMap(([, font]) => objectsOfEmbedded(font))

function textOfForm(form: PDFObject): string {
  const box = entry(form, 'BBox').toString(true)
  const states = entry(form, 'Resources', 'ExtGState')
  return `${box} ${states.isNull() ? '' : states.toString(true)} ${storedBytes(form).toString('latin1')}`
}
