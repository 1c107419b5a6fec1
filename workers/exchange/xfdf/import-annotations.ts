// Creates and updates the annotations of an XFDF file. One that means an existing one on the same page updates it; what
// cannot be taken is named, and the rest is imported.
import { AnnotatedPage } from '../../annotations/annotated-page.js'
import { numberOf, removeAll } from '../../annotations/remove.js'
import type { Change } from '../../change/change.js'
import type { AnnotationRef } from '../../contract/annotation-ref.js'
import type { Annotation } from '../../contract/annotations/annotation.js'
import type { AnnotationDraft, AnnotationPatch } from '../../contract/annotations/written.js'
import { JobRefusal } from '../../contract/job-refusal.js'
import { lookUp } from '../../objects/look-up.js'
import type { XmlTree } from '../xml/xml-tree.js'
import { UnusableElement } from './element-reader.js'
import { type ImportedPage, importedPages } from './imported-page.js'
import { inOrderOfReplies, type PlacedElement } from './in-order-of-replies.js'
import { conflictWith, type MeantAnnotation, meantAnnotation } from './meant-annotation.js'
import { type ReadElement, readAnnotationElement } from './read-annotation.js'
import { SkippedElements } from './skipped-elements.js'
import { unlike } from './unlike.js'
import { putUnlistedLook, unlikeLook } from './unlisted-look.js'
import { identityAttribute, subtypesByElement } from './words.js'

/** Ops that create and update one annotation, and declare how that is undone. */
export interface AnnotationOps {
  readonly create: (page: number, data: AnnotationDraft) => Annotation
  readonly update: (ref: AnnotationRef, patch: AnnotationPatch) => Annotation
}

export function importAnnotations(change: Change, elements: readonly XmlTree[], ops: AnnotationOps) {
  const importing = new Importing(change, ops)
  importing.run(elements)
  const { created, updated, unchangedCount, skipped } = importing
  // Read again, because a popup or a reply that follows is part of what an annotation looks like.
  const now = ({ ref }: Annotation): Annotation => {
    const page = new AnnotatedPage(change, ref.page.objectNumber)
    return page.read(page.find(ref))
  }
  return { created: created.map(now), updated: updated.map(now), unchangedCount, skipped: skipped.list }
}

class Importing {
  readonly created: Annotation[] = []
  readonly updated: Annotation[] = []
  readonly skipped = new SkippedElements()
  unchangedCount = 0
  readonly #pages

  constructor(
    private readonly change: Change,
    private readonly ops: AnnotationOps,
  ) {
    this.#pages = importedPages(change)
  }

  run(elements: readonly XmlTree[]): void {
    const placed = elements.flatMap((element) => this.#placed(element) ?? [])
    for (const one of inOrderOfReplies(placed)) {
      try {
        this.#take(one)
      } catch (error) {
        const isUnusable = error instanceof UnusableElement || (error instanceof JobRefusal && isOfOne(error))
        if (!isUnusable) throw error
        this.skipped.add(one.element, 'invalid', error.message)
      }
    }
  }

  /** Finds the page of an element; undefined if the element cannot be imported. */
  #placed(element: XmlTree): PlacedElement | undefined {
    const subtype = lookUp(subtypesByElement, element.name)
    if (subtype === undefined || subtype === 'popup') {
      return this.skipped.add(element, 'unsupported-element', 'There is no annotation for this element')
    }
    if (subtype === 'redact' && this.change.stamp.isMarking === false) {
      return this.skipped.add(element, 'not-allowed', 'Redaction marks need the right to redact')
    }
    const index = element.attributes.get('page') ?? ''
    const page = /^\d{1,6}$/.test(index) ? this.#pages.at(Number(index)) : undefined
    if (page === undefined) return this.skipped.add(element, 'no-such-page', 'The document has no page of this index')
    const name = element.attributes.get('name') || undefined
    if (name !== undefined && page.isTaken(name)) {
      return this.skipped.add(element, 'duplicate-name', 'The file has another annotation of this name on the page')
    }
    if (name !== undefined) page.take(name)
    const identity = element.attributes.get(identityAttribute)
    return { element, subtype, page, name, identity, answered: element.attributes.get('inreplyto') || undefined }
  }

  #take({ element, subtype, page, name, identity, answered }: PlacedElement): void {
    const { pages } = this.change.document
    const { spaceOf } = this.#pages
    const read = readAnnotationElement(element, subtype, { pages, spaceOf, space: spaceOf(page.number) })
    const ignored = new Set(read.ignored)
    const existing = meantAnnotation(this.change, { page, name, identity, read })
    if (existing === 'several') {
      this.skipped.add(element, 'duplicate-name', 'Several annotations of the page have this name')
      return
    }
    if (existing !== undefined) this.#update(element, { read, existing, page, name, ignored })
    else if (subtype === 'stamp' || subtype === 'file-attachment') {
      this.skipped.add(element, 'file-missing', 'An XFDF has no file for a new annotation of this kind')
      return
    } else {
      for (const name of read.lacking) ignored.add(name)
      const made = this.#create({ read, page, name, reply: this.#replyOf(element, { page, answered, ignored }) })
      page.settle(name, made.ref)
      if (read.popup !== undefined && !this.#addPopup(page, made, read.popup)) ignored.add('<popup>')
    }
    if (ignored.size > 0) this.skipped.addMembers(element, [...ignored])
  }

  #update(element: XmlTree, { read, existing, page, name, ignored }: Updating): void {
    const { current } = existing
    const now = new AnnotatedPage(this.change, page.number)
    page.settle(name, current.ref)
    if (current.subtype !== read.subtype) {
      this.skipped.add(element, 'other-subtype', `The annotation of this name is a ${current.subtype}`)
      return
    }
    for (const name of unlikeLook(now.find(current.ref).object, read.subtype, read.look)) ignored.add(name)
    const patch = unlike(read.members, { ...current })
    if (Object.keys(patch).length === 0) {
      this.unchangedCount++
      return
    }
    const conflict = conflictWith(existing, { read, stamp: this.change.stamp })
    if (conflict === undefined) this.updated.push(this.ops.update(current.ref, patch))
    else {
      this.skipped.add(element, ...conflict)
      // It gets no replies to the annotation of the file either.
      page.settle(name, undefined)
      ignored.clear()
    }
  }

  #create({ read, page, name, reply }: Creating): Annotation {
    const { subtype, unstated, members, look, author, createdAt, modifiedAt } = read
    const attribution = this.change.stamp.keepsAuthors === true ? { author: author ?? null, createdAt, modifiedAt } : {}
    const data = {
      subtype,
      ...unstated,
      ...members,
      ...attribution,
      ...(name !== undefined && { nm: name }),
      ...(reply && { reply }),
    }
    const made = this.#add(page.number, data)
    const now = new AnnotatedPage(this.change, page.number)
    putUnlistedLook(now, now.find(made.ref).object, look)
    return made
  }

  #replyOf(element: XmlTree, { page, answered, ignored }: Replying) {
    if (answered === undefined) return undefined
    const to = page.referredTo(answered)
    if (to !== undefined) {
      const isGrouped = element.attributes.get('replyType') === 'group'
      const found = new AnnotatedPage(this.change, page.number).find(to)
      const mayGroup = isGrouped && this.change.standings.of(numberOf(found.object)).mayUpdate
      if (isGrouped && !mayGroup) ignored.add('replyType')
      return { to, type: mayGroup ? 'group' : 'reply' } as const
    }
    const message = `The page has no annotation ${JSON.stringify(answered.slice(0, 100))}: imported without the reference`
    return this.skipped.add(element, 'reply-target-missing', message)
  }

  /** Returns false if the popup cannot be created. */
  #addPopup(page: ImportedPage, parent: Annotation, popup: ReadElement['members']): boolean {
    try {
      this.#add(page.number, { subtype: 'popup', parent: parent.ref, ...popup })
      return true
    } catch (error) {
      if (error instanceof JobRefusal && isOfOne(error)) return false
      throw error
    }
  }

  /** Creates an annotation; if that fails half way, what there is of it is removed. */
  #add(page: number, data: AnnotationDraft): Annotation {
    const before = new AnnotatedPage(this.change, page).order.length
    try {
      const made = this.ops.create(page, data)
      this.created.push(made)
      return made
    } catch (error) {
      const now = new AnnotatedPage(this.change, page)
      const left = now.order.slice(before).flatMap((number) => now.siblings.numbered(number) ?? [])
      if (left.length > 0) removeAll(now, left)
      throw error
    }
  }
}

interface Replying {
  readonly page: ImportedPage
  readonly answered: string | undefined
  readonly ignored: Set<string>
}

interface Updating {
  readonly read: ReadElement
  readonly existing: MeantAnnotation
  readonly page: ImportedPage
  readonly name: string | undefined
  /** Names of what the element states and the annotation does not take. */
  readonly ignored: Set<string>
}

interface Creating {
  readonly read: ReadElement
  readonly page: ImportedPage
  readonly name: string | undefined
  readonly reply: { readonly to: AnnotationRef; readonly type: 'reply' | 'group' } | undefined
}

/** True for refusals of one annotation; others, such as that of a signed document, refuse the whole change. */
const isOfOne = ({ code }: JobRefusal): boolean => code === 'InvalidArg'
