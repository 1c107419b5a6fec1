// Inspects an uploaded file once and returns all that later reads need: whether it is a readable PDF, its encryption,
// its pages, and the working copy to read if the file cannot be used as it is.

import { JobRefusal } from '../contract/job-refusal.js'
import type { DocumentProtection } from '../contract/signatures/protection.js'
import { OpenDocument } from '../document/open-document.js'
import { openFile, openRepaired } from '../document/open-file.js'
import { headOf } from '../engine/file-stream.js'
import { isTrap } from '../engine/trap.js'
import { hasHeader, hasLeadingJunk, openPdf } from '../file/open-pdf.js'
import { bareFonts, describeFonts } from '../intake/bare-fonts.js'
import { circularMembers, cutCircles } from '../intake/circular-parents.js'
import { type EncryptionFacts, encryptionFacts, unsupportedEncryption } from '../intake/encryption-facts.js'
import { loadObject } from '../intake/force-repair.js'
import { highestObject } from '../intake/highest-object.js'
import { type PageFact, pageFacts } from '../intake/page-facts.js'
import { isSound, type Leaf, leavesOf, rebuildPageTree, TooManyPages } from '../intake/page-tree.js'
import { misplacedObject } from '../intake/placed-objects.js'
import { highestReferenced, highestWritten } from '../intake/referenced-numbers.js'
import { separateAnnotations, sharesAnnotations } from '../intake/shared-annotations.js'
import { isTruncated } from '../intake/truncation.js'
import { type WorkingCopy, type WorkingReason, workingReasons, writeWorkingCopy } from '../intake/working-copy.js'
import { fileSnapshot } from '../signatures/reading/file-snapshot.js'
import type { Job, OnDocument } from './job.js'

export interface IngestInput extends OnDocument {
  /** Path in the staging folder for a working copy, if one is needed; must not exist. */
  readonly workingPath: string
}

/**
 * - `empty`: no bytes.
 * - `not-a-pdf`: no PDF header in its first bytes.
 * - `truncated`: unreadable, and its end is missing.
 * - `damaged`: unreadable and not repairable.
 * - `no-pages`, `too-many-pages`: number of pages is zero or exceeds the limit.
 */
export type IngestFailure = 'empty' | 'not-a-pdf' | 'truncated' | 'damaged' | 'no-pages' | 'too-many-pages'

export interface IngestFacts {
  readonly state: 'ready'
  readonly encryption: EncryptionFacts
  /** Pages; null if the file is locked, until a password is given. */
  readonly pages: readonly PageFact[] | null
  /** Highest object number of the file to read; 0 if it is unreadable. */
  readonly highestObject: number
  readonly working: WorkingCopy | null
  /** Changes that the signatures of the uploaded bytes permit; null if the file is locked. */
  readonly protection: DocumentProtection | null
  /** True if the file contains a signature. */
  readonly isSigned: boolean
}

export type IngestResult = IngestFacts | { readonly state: 'failed'; readonly reason: IngestFailure }

export const ingest: Job<IngestInput, IngestResult> = {
  kind: 'read',
  deadline: { constantMs: 20_000, perMegabyteMs: 150 },
  run(input) {
    const { path } = input.source
    if (headOf(path, 1).length === 0) return failed('empty')
    if (!hasHeader(path)) return failed('not-a-pdf')
    try {
      return read(input)
    } catch (error) {
      if (isTrap(error)) throw error
      if (error instanceof TooManyPages) return failed('too-many-pages')
      if (isUnsupported(error)) return locked(unsupportedEncryption, 0)
      return failed(failureOf(path))
    }
  },
}

function failureOf(path: string): IngestFailure {
  // Other kinds of files may contain a PDF header in their first bytes.
  if (hasLeadingJunk(path)) return 'not-a-pdf'
  return isTruncated(path) ? 'truncated' : 'damaged'
}

const failed = (reason: IngestFailure): IngestResult => ({ state: 'failed', reason })

const locked = (encryption: EncryptionFacts, highestObject: number): IngestResult => ({
  state: 'ready',
  encryption,
  pages: null,
  highestObject,
  working: null,
  protection: null,
  isSigned: false,
})

function read({ source, workingPath }: IngestInput): IngestResult {
  const inspected = openPdf(source.path)
  const [encryption, highest] = [encryptionFacts(inspected), highestObject(inspected)]
  inspected.destroy()
  if (encryption.requiresPassword && source.password === undefined) {
    // Damage of the file is seen only when it is read with its password.
    return locked(encryption, highestWritten(source.path, highest))
  }
  const result = readOpened(openFile(source), { source, workingPath }, encryption)
  const isEmpty = result.state === 'failed' && result.reason === 'no-pages'
  // The cross-reference sections may list too few objects, which is no damage that the engine notices.
  return isEmpty ? readOpened(openRepaired(source), { source, workingPath }, encryption) : result
}

function readOpened(document: OpenDocument, input: IngestInput, encryption: EncryptionFacts): IngestResult {
  try {
    return readPages(document, input, encryption)
  } finally {
    document.destroy()
  }
}

function readPages(
  document: OpenDocument,
  { source, workingPath }: IngestInput,
  encryption: EncryptionFacts,
): IngestResult {
  // Placement is checked before anything is read: a later repair would invalidate what was read.
  const misplaced = document.pdf.wasRepaired() ? undefined : misplacedObject(source.path)
  if (misplaced !== undefined) loadObject(document.pdf, misplaced)
  const leaves = leavesOf(document)
  if (leaves.length === 0) return failed('no-pages')
  const hasSoundTree = isSound(document, leaves)
  if (!hasSoundTree) rebuildPageTree(document, leaves)
  const shown = hasSoundTree ? document : new OpenDocument(document.pdf, document.openedAs)
  const wasRepaired = shown.pdf.wasRepaired()
  const mended = mend(shown, leaves)
  const reasons = reasonsFor(shown, { path: source.path, hasSoundTree, isPlaced: misplaced === undefined, ...mended })
  // A repair of the engine loses what was changed before it.
  if (shown.pdf.wasRepaired() !== wasRepaired) mend(shown, leaves)
  if (reasons.includes('shared-annotations')) separateAnnotations(shown)
  const working =
    reasons.length === 0 ? null : writeWorkingCopy(shown, { path: workingPath, reasons, password: source.password })
  const highest = highestObject(shown.pdf)
  const { protection, signatures } = fileSnapshot(source.path, { password: source.password })
  return {
    state: 'ready',
    encryption,
    pages: pageFacts(shown),
    highestObject: working === null ? highest : highestReferenced(working.path, highest),
    working,
    protection,
    isSigned: signatures.some(({ signed }) => signed),
  }
}

interface Inspection {
  readonly path: string
  readonly hasSoundTree: boolean
  /** True if every object begins where the file's cross-reference sections say. */
  readonly isPlaced: boolean
}

interface Mended {
  /** True if parents of fields led in a circle. */
  readonly isCircular: boolean
  /** True if fonts had no descriptor. */
  readonly hasBareFonts: boolean
}

/** Changes what the engine cannot read, or reads as something else. */
function mend(document: OpenDocument, leaves: readonly Leaf[]): Mended {
  const [circular, bare] = [circularMembers(document), bareFonts(document, leaves)]
  cutCircles(document, circular)
  describeFonts(document, bare)
  return { isCircular: circular.length > 0, hasBareFonts: bare.length > 0 }
}

function reasonsFor(
  document: OpenDocument,
  { path, hasSoundTree, isPlaced, isCircular, hasBareFonts }: Inspection & Mended,
): readonly WorkingReason[] {
  // Some damage only appears when a page is loaded.
  const { firstPage } = document
  if (firstPage !== undefined) document.withPage(firstPage, () => undefined)
  const found: Readonly<Record<WorkingReason, boolean>> = {
    repaired: document.pdf.wasRepaired() || !isPlaced,
    'leading-junk': hasLeadingJunk(path),
    'page-tree': !hasSoundTree,
    'shared-annotations': sharesAnnotations(document),
    'circular-parents': isCircular,
    'bare-fonts': hasBareFonts,
  }
  return workingReasons.filter((reason) => found[reason])
}

const isUnsupported = (error: unknown): boolean =>
  error instanceof JobRefusal && error.details?.['reason'] === 'unsupported-encryption'
