// Which annotation of the page an annotation of an XFDF file means. Names are anybody's to take, at any time and under any
// author, so that a name leads to annotations of the importer and of nobody. To that of another person leads only what
// follows from document and annotation, and only this server writes; and a whole annotation that is as the file has it, which
// an import then leaves alone.
import { AnnotatedPage } from '../../annotations/annotated-page.js'
import type { Change } from '../../change/change.js'
import type { Standing } from '../../change/standing.js'
import type { AnnotationRef } from '../../contract/annotation-ref.js'
import type { Annotation } from '../../contract/annotations/annotation.js'
import { objectNumberOf } from '../../objects/values.js'
import { xmlText } from '../xml/write-xml.js'
import type { ImportedPage } from './imported-page.js'
import type { PlacedElement } from './in-order-of-replies.js'
import type { ReadElement } from './read-annotation.js'
import { unlike } from './unlike.js'

export interface MeantAnnotation {
  readonly current: Annotation
  readonly standing: Standing
}

/** How the file names it. */
type Named = Pick<PlacedElement, 'name' | 'identity'>
type Stated = Pick<ReadElement, 'author' | 'createdAt'>
type Whole = Stated & Pick<ReadElement, 'subtype' | 'members'>

/** Returns undefined if the annotation of the file is a new one, `several` if it may be more than one. */
export function meantAnnotation(
  change: Change,
  { page, name, identity, read }: Named & { readonly page: ImportedPage; readonly read: Whole },
): MeantAnnotation | 'several' | undefined {
  const annotated = new AnnotatedPage(change, page.number)
  const known = (ref: AnnotationRef): MeantAnnotation => {
    const found = annotated.find(ref)
    return { current: annotated.read(found), standing: change.standings.of(objectNumberOf(found.object) ?? 0) }
  }
  // A copy of the document has identities of its own, and those of this one as names.
  const [derived] = [identity, name].flatMap((one) => (one === undefined ? [] : (page.derived(one) ?? [])))
  if (derived !== undefined) return known(derived)
  if (name === undefined) return undefined
  const named = page.named(name).map(known)
  const asItWas = named.find(isAsItWas(change, read))
  if (asItWas !== undefined) return asItWas
  const possible = named.filter(isPossible(change, read))
  const dated = possible.filter(({ current }) => isDated(current, read))
  const own = possible.filter(({ standing }) => standing.whose === 'own')
  const [sole] = [possible, dated, own].flatMap((some) => (some.length === 1 ? some : []))
  return sole ?? (possible.length === 0 ? undefined : 'several')
}

/**
 * True for an annotation of another person that has author, time of creation and content of the file, which other programs
 * keep when they drop its identity. Whoever imports their own under their name gets it, also where somebody made one that
 * looks like it.
 */
const isAsItWas =
  ({ stamp }: Change, read: Whole) =>
  ({ current, standing: { whose } }: MeantAnnotation): boolean => {
    const { author, subtype, members } = read
    const mayBeOfImporter = author === undefined || (stamp.keepsAuthors !== true && author === stamp.author)
    if (whose !== 'other' || mayBeOfImporter || current.subtype !== subtype) return false
    if (!isOfStatedAuthor(current, read) || !isDated(current, read)) return false
    return Object.keys(unlike(members, { ...current })).length === 0
  }

const isPossible =
  ({ stamp }: Change, read: Stated) =>
  ({ current, standing: { whose } }: MeantAnnotation): boolean => {
    if (whose !== 'own') return whose === 'nobody'
    // Who brings authors brings annotations of others, which are not their own ones of the same name.
    return stamp.keepsAuthors !== true || isOfStatedAuthor(current, read) || isDated(current, read)
  }

const isDated = ({ createdAt }: Annotation, { createdAt: stated }: Stated): boolean =>
  createdAt !== null && stated !== null && Date.parse(createdAt) === Date.parse(stated)

/** Returns why an annotation must not get the content of the file: whose it is must stay what its content says. */
export function conflictWith(
  { current, standing: { whose, mayUpdate } }: MeantAnnotation,
  { read, stamp }: { readonly read: Stated; readonly stamp: Change['stamp'] },
): Conflict | undefined {
  if (!mayUpdate) return ['not-allowed', 'The annotation of this name is not yours to change']
  // Who may not bring authors has their own name on what they imported.
  const isOfImporter = whose === 'nobody' ? stamp.author !== null && stamp.author === current.author : whose === 'own'
  if (isOfStatedAuthor(current, read) || (stamp.keepsAuthors !== true && isOfImporter)) return undefined
  return ['other-author', 'The annotation of this name is of another author than the file says']
}

type Conflict = readonly [reason: 'not-allowed' | 'other-author', message: string]

const isOfStatedAuthor = ({ author }: Annotation, { author: stated }: Stated): boolean =>
  stated === undefined || xmlText(stated) === xmlText(author ?? '')
