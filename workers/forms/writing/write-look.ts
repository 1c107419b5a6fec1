// Writes the look and position of a widget into its dictionary (ISO 32000-2, 12.5.6.19 and 12.7.4.3).
import type { PDFObject } from 'mupdf'
import {
  ensureDictionary,
  putColor,
  putName,
  putNumber,
  putRect,
  putText,
  type Target,
  wordFor,
} from '../../annotations/entries.js'
import { blendModes } from '../../annotations/reading/blend-modes.js'
import { flagNames } from '../../annotations/reading/common.js'
import { borderOf, borderStyles } from '../../annotations/reading/shared-members.js'
import { fontResources, textLookOf } from '../../annotations/reading/text-look.js'
import type { WidgetAnnotation } from '../../contract/annotations/widget.js'
import type { FieldFamily } from '../../contract/field-family.js'
import { JobRefusal } from '../../contract/job-refusal.js'
import type { StandardFont } from '../../contract/standard-font.js'
import type { WidgetLook, WidgetPatch } from '../../contract/widget-look.js'
import { writtenName } from '../../engine/names.js'
import { inheritedFrom } from '../../fields/inheritance.js'
import { turned } from '../../objects/rectangles.js'
import { entry, integerOf, isMissing } from '../../objects/values.js'
import { components, numbers } from '../../text/content-operands.js'
import { appearanceStringOf, putAppearanceString } from '../../text/default-appearance.js'
import { fontAliases } from '../../text/fonts.js'
import { standardFontResource } from '../../text/written-font.js'
import { touchForm } from './form-dictionary.js'

/** Converts to counter-clockwise degrees, as in the file. */
const counterClockwise = (degrees: number): number => (360 - degrees) % 360

/** Writes the look. Throws `InvalidArg`. */
export function writeLook(target: Target, look: WidgetLook, family: FieldFamily): void {
  writeCharacteristics(target, look, family)
  writeBorder(target, look)
  writeTextStyle(target, look)
  if (look.textAlign !== undefined) putNumber(target, 'Q', ['left', 'center', 'right'].indexOf(look.textAlign))
}

function writeCharacteristics(target: Target, look: WidgetLook, family: FieldFamily): void {
  const { rotation, color, interiorColor, caption } = look
  if (caption !== undefined && caption !== null && family !== 'pushbutton') {
    throw new JobRefusal('InvalidArg', 'Only push buttons have a caption', { member: 'caption' })
  }
  const isPushbutton = family === 'pushbutton'
  if ([rotation, color, interiorColor, isPushbutton ? caption : undefined].every((member) => member === undefined))
    return
  const characteristics = { ...target, object: ensureDictionary(target, 'MK') }
  if (rotation !== undefined) putNumber(characteristics, 'R', rotation === null ? null : counterClockwise(rotation))
  if (color !== undefined) putColor(characteristics, 'BC', color)
  if (interiorColor !== undefined) putColor(characteristics, 'BG', interiorColor)
  if (caption !== undefined && isPushbutton) putText(characteristics, 'CA', caption)
}

function writeBorder(target: Target, { strokeWidth, borderStyle }: WidgetLook): void {
  if (strokeWidth === undefined && borderStyle === undefined) return
  const now = borderOf({ object: target.object })
  const style = { ...target, object: ensureDictionary(target, 'BS') }
  putNumber(style, 'W', strokeWidth ?? now.strokeWidth)
  putName(style, 'S', wordFor(borderStyles, borderStyle ?? now.borderStyle))
  target.object.delete('Border')
}

function writeTextStyle(target: Target, { fontFamily, fontSize, fontColor }: WidgetLook): void {
  if (fontFamily === undefined && fontSize === undefined && fontColor === undefined) return
  const { change, object } = target
  const form = entry(change.document.catalog, 'AcroForm')
  const now = textLookOf(inheritedFrom(object, 'DA') ?? entry(form, 'DA'), fontResources(object, form))
  const name =
    fontFamily === undefined ? now.fontName : fontFamily === null ? undefined : addFontResource(target, fontFamily)
  const size = fontSize === undefined ? now.fontSize : (fontSize ?? undefined)
  const color = fontColor === undefined ? now.fillColor : (fontColor ?? undefined)
  const font =
    name === undefined && size === undefined ? [] : [`${writtenName(name ?? 'Helv')} ${numbers(size ?? 0)} Tf`]
  const fill = color === undefined ? [] : [`${numbers(...components(color))} rg`]
  putAppearanceString(object, [...font, ...fill].join(' ') || null)
}

/**
 * Returns the resource name of a font, which is added to the form's resources, because readers that redraw the widget
 * search there.
 */
function addFontResource({ change, space }: Target, font: StandardFont): string {
  const name = wordFor(fontAliases, font) ?? 'Helv'
  const form = entry(change.document.catalog, 'AcroForm')
  if (isMissing(entry(form, 'DR', 'Font', name))) {
    const resources = ensureDictionary({ change, space, object: touchForm(change) }, 'DR')
    ensureDictionary({ change, space, object: resources }, 'Font').put(name, standardFontResource(change.pdf, font))
  }
  return name
}

/** Writes `rect` or `box`, whichever differs from its current value; a rotation alone keeps the centre of the box. */
export function writeFrame(target: Target, patch: WidgetPatch, now: WidgetAnnotation): void {
  const { space } = target
  const rotation = (patch.rotation === undefined ? now.rotation : patch.rotation) ?? 0
  if (patch.rect !== undefined && !isSameBox(patch.rect, now.rect)) {
    putRect(target, 'Rect', space.toUserRect(patch.rect))
    return
  }
  const box = patch.box ?? now.box
  if (isSameBox(box, now.box) && rotation === (now.rotation ?? 0)) return
  const rect = space.toUserRect(box)
  putRect(target, 'Rect', rotation % 180 === 0 ? rect : turned(rect))
}

const isSameBox = (one: WidgetAnnotation['box'], other: WidgetAnnotation['box']): boolean =>
  one.x === other.x && one.y === other.y && one.width === other.width && one.height === other.height

/** Writes members that widgets share with all annotations. */
export function writeCommon(target: Target, patch: WidgetPatch): void {
  if (patch.contents !== undefined) putText(target, 'Contents', patch.contents)
  if (patch.subject !== undefined) putText(target, 'Subj', patch.subject)
  if (patch.blendMode !== undefined) {
    putName(target, 'BM', patch.blendMode === 'normal' ? null : wordFor(blendModes, patch.blendMode))
  }
  let bits = integerOf(entry(target.object, 'F')) ?? 0
  const before = bits
  flagNames.forEach((flag, bit) => {
    const value = patch[flag]
    if (value !== undefined) bits = value ? bits | (1 << bit) : bits & ~(1 << bit)
  })
  if (bits !== before) putNumber(target, 'F', bits)
}

/** Returns the widget's own default appearance as stored; null = none. */
export const ownAppearanceString = (widget: PDFObject): string | null => appearanceStringOf(entry(widget, 'DA')) ?? null
