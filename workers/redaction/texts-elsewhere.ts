// Iterates over all readable texts of a document outside of page contents.
import type { PDFObject } from 'mupdf'
import type { Change } from '../change/change.js'
import type { AlsoFound } from '../contract/ops/redactions-apply.js'
import { shownName } from '../engine/names.js'
import { fieldTree } from '../fields/field-tree.js'
import { readingLimits } from '../objects/reading-limits.js'
import { streamBytes } from '../objects/streams.js'
import { nameTree, numberTree } from '../objects/trees.js'
import { elementsOf, entriesOf, entry, isArray, isDictionary, objectNumberOf, textOf } from '../objects/values.js'
import { withoutReferences } from '../text/xml.js'
import { appearanceTexts } from './appearance-texts.js'
import { descriptionKeys } from './descriptions.js'
import { type Texts, textsStoredWith } from './stored-texts.js'
import { structureOf } from './structure.js'

const entriesMax = 10_000
/** Entries of a signature dictionary that contain statements by the signer (ISO 32000-2, table 255). */
const signatureKeys = ['Name', 'Reason', 'Location', 'ContactInfo']

export const textsElsewhere: readonly (readonly [AlsoFound['where'], (change: Change) => Texts])[] = [
  ['form', formTexts],
  ['metadata', metadataTexts],
  ['bookmarks', ({ document }) => bookmarks(entry(document.catalog, 'Outlines'))],
  ['page-labels', ({ document }) => labelPrefixes(document.catalog)],
  ['articles', ({ document }) => threads(document.catalog)],
  ['attachments', ({ document }) => attachments(document.catalog)],
  ['names', ({ document }) => names(document.catalog)],
  ['scripts', ({ document }) => documentScripts(document.catalog)],
  ['layers', ({ document }) => layers(document.catalog)],
  ['alternate-text', ({ document }) => alternateTexts(document.catalog)],
]

export function* annotationTexts(change: Change, page: number): Texts {
  const { document } = change
  for (const annotation of elementsOf(entry(document.pageObject(page), 'Annots'), readingLimits.annotsLengthMax)) {
    for (const key of ['Contents', 'Subj', 'T', 'OverlayText', 'TU']) yield longText(entry(annotation, key))
    yield withoutReferences(longText(entry(annotation, 'RC')) ?? '')
    yield longText(entry(annotation, 'A', 'URI'))
    yield* scriptsOf(annotation)
  }
  yield* appearanceTexts(change, page)
}

function* formTexts(change: Change): Texts {
  for (const { object, name } of fieldTree(change.reading())) {
    yield name
    for (const key of ['V', 'DV', 'RV', 'TU']) {
      const value = entry(object, key)
      yield longText(value)
      for (const one of elementsOf(value, readingLimits.optionsMax)) yield longText(one)
      for (const written of signatureKeys) yield textOf(entry(value, written))
    }
    for (const option of elementsOf(entry(object, 'Opt'), readingLimits.optionsMax)) {
      yield longText(option)
      for (const part of elementsOf(option, 2)) yield longText(part)
    }
    yield* scriptsOf(object)
  }
  const packets = entry(change.document.catalog, 'AcroForm', 'XFA')
  for (const packet of isArray(packets) ? elementsOf(packets, entriesMax) : [packets]) {
    yield withoutReferences(longText(packet) ?? '')
  }
}

function* metadataTexts({ document }: Change): Texts {
  for (const [, value] of entriesOf(entry(document.trailer, 'Info'), entriesMax)) yield longText(value)
  yield* textsStoredWith(document.catalog)
}

/** Yields page label prefixes, which readers show before each page number. */
function* labelPrefixes(catalog: PDFObject): Texts {
  for (const [, range] of numberTree(entry(catalog, 'PageLabels'))) yield textOf(entry(range, 'P'))
}

/** Yields texts of article threads (ISO 32000-2, 12.4.3). */
function* threads(catalog: PDFObject): Texts {
  for (const thread of elementsOf(entry(catalog, 'Threads'), entriesMax)) {
    for (const [, value] of entriesOf(entry(thread, 'I'), entriesMax)) yield longText(value)
    yield* textsStoredWith(thread)
  }
}

function* bookmarks(root: PDFObject): Texts {
  const seen = new Set<number>()
  const waiting = [entry(root, 'First')]
  for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
    const number = objectNumberOf(item)
    if (!isDictionary(item) || number === undefined || seen.has(number)) continue
    seen.add(number)
    if (seen.size > readingLimits.treeEntriesMax) return
    yield textOf(entry(item, 'Title'))
    waiting.push(entry(item, 'Next'), entry(item, 'First'))
  }
}

function* attachments(catalog: PDFObject): Texts {
  for (const [name, file] of nameTree(entry(catalog, 'Names', 'EmbeddedFiles'))) {
    yield name
    for (const key of ['F', 'UF', 'Desc']) yield textOf(entry(file, key))
    const content = streamBytes(entry(file, 'EF', 'F'), readingLimits.xmpBytesMax)
    if (content !== undefined) yield new TextDecoder().decode(content)
  }
}

function* names(catalog: PDFObject): Texts {
  for (const [name] of entriesOf(entry(catalog, 'Dests'), entriesMax)) yield shownName(name)
  for (const tree of ['Dests', 'Pages', 'Templates']) {
    for (const [name] of nameTree(entry(catalog, 'Names', tree))) yield name
  }
}

function* documentScripts(catalog: PDFObject): Texts {
  for (const [name, action] of nameTree(entry(catalog, 'Names', 'JavaScript'))) {
    yield name
    yield* scriptsFrom(action)
  }
  yield* scriptsFrom(entry(catalog, 'OpenAction'))
  yield* scriptsOf(catalog)
}

function* layers(catalog: PDFObject): Texts {
  for (const layer of elementsOf(entry(catalog, 'OCProperties', 'OCGs'), entriesMax)) yield textOf(entry(layer, 'Name'))
}

function* alternateTexts(catalog: PDFObject): Texts {
  for (const { element } of structureOf(catalog)) {
    for (const key of descriptionKeys) yield textOf(entry(element, key))
  }
}

/** Yields texts of the annotation's own action and of those that events start. */
function* scriptsOf(object: PDFObject): Texts {
  yield* scriptsFrom(entry(object, 'A'))
  for (const [, action] of entriesOf(entry(object, 'AA'), readingLimits.actionsMax)) yield* scriptsFrom(action)
}

function* scriptsFrom(action: PDFObject): Texts {
  let next = [action]
  for (let depth = 0; depth < readingLimits.actionDepthMax && next.length > 0; depth++) {
    const followers = next.slice(0, readingLimits.actionsMax)
    next = []
    for (const one of followers) {
      yield longText(entry(one, 'JS'))
      const after = entry(one, 'Next')
      next.push(...(isArray(after) ? elementsOf(after, readingLimits.actionsMax) : isDictionary(after) ? [after] : []))
    }
  }
}

function longText(object: PDFObject): string | undefined {
  const bytes = streamBytes(object, readingLimits.xmpBytesMax)
  return bytes === undefined ? textOf(object) : new TextDecoder().decode(bytes)
}
