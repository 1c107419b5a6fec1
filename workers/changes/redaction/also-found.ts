// Where the words that are taken out stand too: told by place and number, so that whoever redacts can go on there. The
// words themselves never leave the worker.
import type { PDFObject } from 'mupdf'
import { fieldTree } from '../../pdf/forms/field-tree.js'
import { readingLimits } from '../../pdf/reading-limits.js'
import { streamBytes } from '../../pdf/streams.js'
import { nameTree } from '../../pdf/trees.js'
import { elementsOf, entriesOf, entry, isDictionary, objectNumberOf, textOf } from '../../pdf/values.js'
import { type AlsoFound, places } from '../../shapes/changes/redactions-apply.js'
import { pageRef } from '../../shapes/page-ref.js'
import type { Change } from '../change.js'
import { descriptionKeys } from './descriptions.js'
import { structureOf } from './structure.js'

/** Shorter words would be found everywhere. */
const wordCharactersMin = 4
const entriesMax = 10_000

type Texts = Iterable<string | undefined>

/** `words`: what was taken out, by lines. */
export function alsoFound(change: Change, words: readonly string[]): readonly AlsoFound[] {
  const parts = words.flatMap((line) => normalised(line).split(/[^\p{L}\p{N}]+/u))
  const wanted = [...new Set(parts.filter((part) => [...part].length >= wordCharactersMin))]
  if (wanted.length === 0) return []
  const { document } = change
  const anywhere: Readonly<Record<string, () => Texts>> = {
    form: () => formTexts(change),
    metadata: () => metadataTexts(change),
    bookmarks: () => bookmarks(entry(document.catalog, 'Outlines')),
    attachments: () => attachments(document.catalog),
    names: () => names(document.catalog),
    'alternate-text': () => alternateTexts(document.catalog),
  }
  const found: AlsoFound[] = []
  for (const page of document.pages) {
    const onPage = { pages: pageText(change, page), annotations: annotationTexts(change, page) }
    for (const [where, texts] of Object.entries(onPage)) {
      const count = countIn(texts, wanted)
      if (count > 0) found.push({ where: placeOf(where), page: pageRef(page), count })
    }
  }
  for (const [where, texts] of Object.entries(anywhere)) {
    const count = countIn(texts(), wanted)
    if (count > 0) found.push({ where: placeOf(where), count })
  }
  return found
}

function placeOf(name: string): AlsoFound['where'] {
  const place = places.find((one) => one === name)
  if (place === undefined) throw new Error(`There is no place ${name}`)
  return place
}

const normalised = (text: string): string => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()

function countIn(texts: Texts, wanted: readonly string[]): number {
  let count = 0
  for (const text of texts) {
    if (text === undefined) continue
    const searched = normalised(text)
    for (const one of wanted) count += searched.split(one).length - 1
  }
  return count
}

function pageText({ document }: Change, page: number): Texts {
  return document.withPage(page, (loaded) => {
    const structured = loaded.toStructuredText('')
    try {
      return [structured.asText()]
    } finally {
      structured.destroy()
    }
  })
}

function* annotationTexts({ document }: Change, page: number): Texts & Generator<string | undefined> {
  for (const annotation of elementsOf(entry(document.pageObject(page), 'Annots'), readingLimits.annotsLengthMax)) {
    for (const key of ['Contents', 'RC', 'Subj', 'T', 'OverlayText', 'TU']) yield longText(entry(annotation, key))
    yield longText(entry(annotation, 'A', 'URI'))
  }
}

function* formTexts(change: Change): Generator<string | undefined> {
  for (const { object, name } of fieldTree(change.reading())) {
    yield name
    for (const key of ['V', 'DV', 'RV', 'TU']) {
      const value = entry(object, key)
      yield longText(value)
      for (const one of elementsOf(value, readingLimits.optionsMax)) yield longText(one)
    }
    for (const option of elementsOf(entry(object, 'Opt'), readingLimits.optionsMax)) {
      yield longText(option)
      for (const part of elementsOf(option, 2)) yield longText(part)
    }
  }
}

function* metadataTexts({ document }: Change): Generator<string | undefined> {
  for (const [, value] of entriesOf(entry(document.trailer, 'Info'), entriesMax)) yield longText(value)
  const packet = streamBytes(entry(document.catalog, 'Metadata'), readingLimits.xmpBytesMax)
  if (packet !== undefined) yield unescaped(new TextDecoder().decode(packet))
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const unescaped = (xml: string): string => xml.replace(/&(amp|lt|gt|quot|apos);/g, (all, name) => entities[name] ?? all)

function* bookmarks(root: PDFObject): Generator<string | undefined> {
  const seen = new Set<number>()
  const waiting = [entry(root, 'First')]
  for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
    const number = objectNumberOf(item)
    if (!isDictionary(item) || number === undefined || seen.has(number)) continue
    if (seen.add(number).size > readingLimits.treeEntriesMax) return
    yield textOf(entry(item, 'Title'))
    waiting.push(entry(item, 'Next'), entry(item, 'First'))
  }
}

function* attachments(catalog: PDFObject): Generator<string | undefined> {
  for (const [name, file] of nameTree(entry(catalog, 'Names', 'EmbeddedFiles'))) {
    yield name
    for (const key of ['F', 'UF', 'Desc']) yield textOf(entry(file, key))
    const content = streamBytes(entry(file, 'EF', 'F'), readingLimits.xmpBytesMax)
    if (content !== undefined) yield new TextDecoder().decode(content)
  }
}

function* names(catalog: PDFObject): Generator<string | undefined> {
  for (const [name] of entriesOf(entry(catalog, 'Dests'), entriesMax)) yield name
  for (const tree of ['Dests', 'Pages', 'Templates']) {
    for (const [name] of nameTree(entry(catalog, 'Names', tree))) yield name
  }
}

function* alternateTexts(catalog: PDFObject): Generator<string | undefined> {
  for (const { element } of structureOf(catalog)) {
    for (const key of descriptionKeys) yield textOf(entry(element, key))
  }
}

function longText(object: PDFObject): string | undefined {
  const bytes = streamBytes(object, readingLimits.richTextBytesMax)
  return bytes === undefined ? textOf(object) : new TextDecoder().decode(bytes)
}
