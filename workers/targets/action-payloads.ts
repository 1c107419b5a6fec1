// Reads what an action does, beside its type (ISO 32000-2, 12.6.4). Viewers decide what they run; this server runs nothing.
import type { PDFObject } from 'mupdf'
import type { ActionPayload, ActionTarget, Submission } from '../contract/action-tree.js'
import type { Reading } from '../document/reading.js'
import { lookUp } from '../objects/look-up.js'
import { readingLimits } from '../objects/reading-limits.js'
import {
  elementsOf,
  entry,
  integerOf,
  isArray,
  isDictionary,
  isMissing,
  isText,
  objectNumberOf,
  stringBytesOf,
} from '../objects/values.js'
import { destinationOf } from './destinations.js'
import { fileName } from './file-specifications.js'

/** Maximum number of fields that one action names. */
const targetsMax = 1_000

export interface ReadPayload {
  readonly payload: ActionPayload
  /** True if the file does not say, or not in a valid way, what the action does. */
  readonly isDropped?: boolean
  /** True if the payload exceeds a limit. */
  readonly isIncomplete?: boolean
}

type ReadOf = (reading: Reading, action: PDFObject) => ReadPayload

const path: ReadOf = (reading, action) => {
  const found = fileName(reading, entry(action, 'F')) ?? fileName(reading, entry(action, 'Win'))
  return { payload: { filePath: found ?? '' }, isDropped: found === undefined }
}

/** Readers by the name of the action in the file; other actions have no payload. */
const readers: Readonly<Record<string, ReadOf>> = {
  JavaScript: (reading, action) => scriptOf(reading, action, { isNeeded: true }),
  Rendition: (reading, action) => scriptOf(reading, action, { isNeeded: false }),
  GoTo: (reading, action) => {
    const destination = destinationOf(reading, entry(action, 'D'))
    return destination === undefined ? { payload: {}, isDropped: true } : { payload: { destination } }
  },
  URI: (reading, action) => {
    const uri = reading.text(action, 'URI')
    const isMap = isOn(entry(action, 'IsMap'))
    // The engine reads a string up to its first NUL.
    const isCut = stringBytesOf(entry(action, 'URI'))?.includes('\0') === true
    return { payload: { uri: uri ?? '', isMap }, isDropped: uri === undefined || isCut }
  },
  Named: (reading, action) => {
    const name = reading.name(action, 'N')
    return { payload: { name: name ?? '' }, isDropped: name === undefined }
  },
  GoToR: path,
  GoToE: path,
  Launch: path,
  Hide: (reading, action) => {
    const { targets, ...rest } = targetsOf(reading, entry(action, 'T'))
    // Missing: true.
    const hide = entry(action, 'H')
    return { payload: { targets: targets ?? [], hide: isMissing(hide) || isOn(hide) }, ...rest }
  },
  ResetForm: (reading, action) => {
    const { targets, ...rest } = fieldsOf(reading, action)
    return { payload: { fields: targets, exclude: isFlagged(action, 1) }, ...rest }
  },
  SubmitForm: (reading, action) => {
    const { targets, ...rest } = fieldsOf(reading, action)
    const url = fileName(reading, entry(action, 'F'))
    if (url === undefined) return { payload: {}, isDropped: true }
    const charSet = reading.text(action, 'CharSet')
    const submission = { url, fields: targets, flags: submitFlagsOf(action), ...(charSet !== undefined && { charSet }) }
    return { payload: { payload: submission }, ...rest }
  },
}

/** `subtype`: name of the action in the file. */
export const payloadOf = (reading: Reading, action: PDFObject, subtype: string): ReadPayload =>
  lookUp(readers, subtype)?.(reading, action) ?? { payload: {} }

function scriptOf(reading: Reading, action: PDFObject, { isNeeded }: { readonly isNeeded: boolean }): ReadPayload {
  const script = entry(action, 'JS')
  if (isMissing(script)) return isNeeded ? { payload: { script: '' }, isDropped: true } : { payload: {} }
  const text = reading.longText(script, readingLimits.scriptBytesMax)
  return text === undefined ? { payload: {}, isIncomplete: true } : { payload: { script: text } }
}

interface Targets {
  /** Null: the action names none, which means all. */
  readonly targets: ActionTarget[] | null
  readonly isDropped: boolean
  readonly isIncomplete: boolean
}

const fieldsOf = (reading: Reading, action: PDFObject): Targets => {
  const fields = entry(action, 'Fields')
  return isMissing(fields)
    ? { targets: null, isDropped: false, isIncomplete: false }
    : targetsOf(reading, isArray(fields) ? fields : undefined)
}

/** Reads an array of targets, or a single one. */
function targetsOf(reading: Reading, value: PDFObject | undefined): Targets {
  if (value === undefined) return { targets: [], isDropped: true, isIncomplete: false }
  if (!reading.budget.hasActionParts) return { targets: [], isDropped: false, isIncomplete: true }
  const all = isArray(value) ? [...elementsOf(value, targetsMax)] : [value]
  reading.budget.takeActionParts(all.length)
  const found = all.map((one) => targetOf(reading, one))
  const targets = found.filter((one) => one !== undefined)
  const isIncomplete = isArray(value) && value.length > targetsMax
  return { targets, isDropped: targets.length < found.length, isIncomplete }
}

function targetOf(reading: Reading, value: PDFObject): ActionTarget | undefined {
  if (isText(value)) {
    const name = reading.text(value)
    return name === undefined ? undefined : { kind: 'name', name }
  }
  const objectNumber = isDictionary(value) ? objectNumberOf(value) : undefined
  return objectNumber === undefined ? undefined : { kind: 'objectNumber', objectNumber }
}

const flagsOf = (action: PDFObject): number => Math.max(0, integerOf(entry(action, 'Flags')) ?? 0)

/** `bit`: counted from 1, as in ISO 32000-2. */
const isFlagged = (action: PDFObject, bit: number): boolean => Math.floor(flagsOf(action) / 2 ** (bit - 1)) % 2 === 1

const isOn = (value: PDFObject): boolean => value.isBoolean() && value.asBoolean()

function submitFlagsOf(action: PDFObject): Submission['flags'] {
  const is = (bit: number) => isFlagged(action, bit)
  return {
    raw: flagsOf(action),
    exclude: is(1),
    includeNoValueFields: is(2),
    format: is(9) ? 'pdf' : is(6) ? 'xfdf' : is(3) ? 'html' : 'fdf',
    method: is(4) ? 'get' : 'post',
    submitCoordinates: is(5),
    includeAppendSaves: is(7),
    includeAnnotations: is(8),
    canonicalFormat: is(10),
    exclNonUserAnnots: is(11),
    exclFKey: is(12),
    embedForm: is(14),
  }
}
