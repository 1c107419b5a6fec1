// The policy: which entries of which objects may change after a signature, and from which level on. What no row permits
// is forbidden. A change of this table, or of a condition that a row names, is a new `policyVersion`.
import type { ProtectionLevel } from '../../../contract/signatures/protection.js'

/** What an object is used as, found on the way from the trailer down. An object may have several roles. */
export type Role =
  | 'trailer'
  | 'catalog'
  | 'information'
  | 'metadata'
  | 'security-store'
  | 'form'
  | 'field'
  | 'widget'
  | 'signature-field'
  | 'page'
  | 'annotation'

export interface PolicyRule {
  readonly rule: string
  readonly level: Exclude<ProtectionLevel, 'none'>
  readonly role: Role
  /** Entries of the object; empty = the object as a whole (added, removed, or drawn anew). */
  readonly keys: readonly string[]
  /** What is permitted, with its conditions. */
  readonly permits: string
}

const annotationKeys = [
  'AS',
  'BE',
  'BS',
  'Border',
  'C',
  'CA',
  'CL',
  'CO',
  'CP',
  'Cap',
  'Contents',
  'CreationDate',
  'IC',
  'IRT',
  'IT',
  'InkList',
  'L',
  'LE',
  'LL',
  'LLE',
  'LLO',
  'Lang',
  'M',
  'Measure',
  'NM',
  'Name',
  'Open',
  'P',
  'Parent',
  'Popup',
  'QuadPoints',
  'RC',
  'RD',
  'RT',
  'Rect',
  'Rotate',
  'State',
  'StateModel',
  'Subj',
  'Sy',
  'T',
  'Vertices',
  'ca',
] as const

/** Entries of an annotation that is new; those that run or open something are judged by `annotation-action`. */
export const newAnnotationKeys: ReadonlySet<string> = new Set([
  ...annotationKeys,
  'AP',
  'DA',
  'DS',
  'F',
  'FS',
  'H',
  'OverlayText',
  'Q',
  'RO',
  'Repeat',
  'Subtype',
  'Type',
])

/** Entries of a signature field, its widget included, that is new. */
export const newSignatureFieldKeys: ReadonlySet<string> = new Set([
  'AP',
  'BS',
  'Border',
  'DA',
  'DR',
  'F',
  'FT',
  'Ff',
  'H',
  'Kids',
  'Lock',
  'M',
  'MK',
  'NM',
  'P',
  'Parent',
  'Rect',
  'SV',
  'Subtype',
  'T',
  'TM',
  'TU',
  'Type',
  'V',
])

export const rules = [
  {
    rule: 'file-identifier',
    level: 'lta',
    role: 'trailer',
    keys: ['ID'],
    permits: 'the second half of the identifier to change, or an identifier where there was none',
  },
  {
    rule: 'private-trailer-entry',
    level: 'lta',
    role: 'trailer',
    keys: ['AdditionalStreams', 'DocChecksum'],
    permits: 'entries of an office program, which PDF does not know, to be left out, or to name the same source again',
  },
  {
    rule: 'document-information',
    level: 'lta',
    role: 'information',
    keys: ['ModDate', 'Producer'],
    permits: 'date of modification and producer to change',
  },
  {
    rule: 'new-document-information',
    level: 'lta',
    role: 'information',
    keys: ['CreationDate', 'Creator'],
    permits: 'further dates and the program in an information dictionary that is new',
  },
  {
    rule: 'document-metadata',
    level: 'lta',
    role: 'metadata',
    keys: [],
    permits: 'XMP to be added, or to change in its dates, its instance and its producer',
  },
  {
    rule: 'pdf-version',
    level: 'lta',
    role: 'catalog',
    keys: ['Version'],
    permits: 'a higher version of PDF',
  },
  {
    rule: 'developer-extensions',
    level: 'lta',
    role: 'catalog',
    keys: ['Extensions'],
    permits: 'further developer extensions, without a change of those there are',
  },
  {
    rule: 'security-store',
    level: 'lta',
    role: 'security-store',
    keys: ['Certs', 'CRLs', 'OCSPs', 'Type', 'VRI'],
    permits:
      'certificates, revocation lists and answers to be added to the document security store; all there were stay',
  },
  {
    rule: 'form-added',
    level: 'lta',
    role: 'form',
    keys: [],
    permits: 'a form where there was none, with signature fields alone',
  },
  {
    rule: 'form-fields',
    level: 'lta',
    role: 'form',
    keys: ['Fields'],
    permits: 'fields to be added to the list, each permitted by a rule of its own; order and members stay',
  },
  {
    rule: 'signature-flags',
    level: 'lta',
    role: 'form',
    keys: ['SigFlags'],
    permits: 'flags to be set, none to be cleared',
  },
  {
    rule: 'timestamp-field-added',
    level: 'lta',
    role: 'signature-field',
    keys: [],
    permits: 'an invisible field with a document timestamp',
  },
  {
    rule: 'timestamp-value',
    level: 'lta',
    role: 'signature-field',
    keys: ['V'],
    permits: 'a document timestamp in an empty, invisible signature field',
  },
  {
    rule: 'page-annotations',
    level: 'lta',
    role: 'page',
    keys: ['Annots'],
    permits: 'members of the list to be added or removed, each permitted by a rule of its own',
  },
  {
    rule: 'field-kids',
    level: 'lta',
    role: 'field',
    keys: ['Kids'],
    permits: 'fields to be added below a field, each permitted by a rule of its own',
  },
  {
    rule: 'followed-entry',
    level: 'lta',
    role: 'trailer',
    keys: [],
    permits: 'an entry to name another object, if it says the same or a rule of its own permits it in this place',
  },
  {
    rule: 'unreferenced-object',
    level: 'lta',
    role: 'trailer',
    keys: [],
    permits: 'objects that nothing refers to: cross-reference streams, object streams, leftovers',
  },
  {
    rule: 'certification',
    level: 'fill',
    role: 'catalog',
    keys: ['Perms'],
    permits: 'the first signature to certify the document',
  },
  {
    rule: 'need-appearances',
    level: 'fill',
    role: 'form',
    keys: ['NeedAppearances'],
    permits: 'the flag to be cleared, because appearances are drawn now',
  },
  {
    rule: 'form-resources',
    level: 'fill',
    role: 'form',
    keys: ['DR'],
    permits: 'resources under new names; those there were stay',
  },
  {
    rule: 'form-default-appearance',
    level: 'fill',
    role: 'form',
    keys: ['DA'],
    permits: 'a default appearance where there was none',
  },
  {
    rule: 'field-value',
    level: 'fill',
    role: 'field',
    keys: ['V', 'I', 'RV'],
    permits:
      'another value of a field that is not locked, as text, name or a list of them, with its rich form and indices',
  },
  {
    rule: 'field-read-only',
    level: 'fill',
    role: 'field',
    keys: ['Ff'],
    permits: 'a field to become read-only',
  },
  {
    rule: 'field-state',
    level: 'fill',
    role: 'widget',
    keys: ['AS'],
    permits: 'the state of a button that follows its new value',
  },
  {
    rule: 'field-appearance',
    level: 'fill',
    role: 'widget',
    keys: ['AP'],
    permits:
      'a new appearance of a field whose value changed or whose appearance was to be drawn, as far as it shows the value',
  },
  {
    rule: 'widget-date',
    level: 'fill',
    role: 'widget',
    keys: ['M'],
    permits: 'date of modification of a widget',
  },
  {
    rule: 'signature-value',
    level: 'fill',
    role: 'signature-field',
    keys: ['V'],
    permits: 'a signature in an empty signature field that is not locked',
  },
  {
    rule: 'signature-appearance',
    level: 'fill',
    role: 'signature-field',
    keys: ['AP'],
    permits: 'the appearance of a signature made in the same step',
  },
  {
    rule: 'signature-widget-flags',
    level: 'fill',
    role: 'signature-field',
    keys: ['F'],
    permits: 'a widget to be printed and locked when a signature is made in it',
  },
  {
    rule: 'signature-lock',
    level: 'fill',
    role: 'signature-field',
    keys: ['Lock'],
    permits: 'a lock where there was none, when a signature is made in the field',
  },
  {
    rule: 'signature-page',
    level: 'fill',
    role: 'signature-field',
    keys: ['P'],
    permits: 'the page of a widget that did not name one',
  },
  {
    rule: 'signature-field-added',
    level: 'fill',
    role: 'signature-field',
    keys: [],
    permits: 'an invisible signature field, empty or signed',
  },
  {
    rule: 'visible-signature-field-added',
    level: 'annotate',
    role: 'signature-field',
    keys: [],
    permits: 'a visible signature field in a document that is not certified',
  },
  {
    rule: 'annotation-added',
    level: 'annotate',
    role: 'annotation',
    keys: [],
    permits: 'annotations of the listed kinds to be added, without actions that run something',
  },
  {
    rule: 'annotation-removed',
    level: 'annotate',
    role: 'annotation',
    keys: [],
    permits: 'markup annotations to be removed',
  },
  {
    rule: 'annotation-changed',
    level: 'annotate',
    role: 'annotation',
    keys: annotationKeys,
    permits: 'text, geometry, colours, dates and replies of markup annotations to change',
  },
  {
    rule: 'annotation-flags',
    level: 'annotate',
    role: 'annotation',
    keys: ['F'],
    permits: 'flags of markup annotations that do not show, hide or print them',
  },
  {
    rule: 'annotation-appearance',
    level: 'annotate',
    role: 'annotation',
    keys: ['AP'],
    permits: 'markup annotations to be drawn anew',
  },
] as const satisfies readonly PolicyRule[]

export type RuleName = (typeof rules)[number]['rule']

/** Names of findings about what no rule is for, and why that is so. */
export const refusals = {
  'no-rule': 'an entry changed that no rule is for',
  'nothing-permitted': 'level `none` permits no change at all',
  'catalog-replaced': 'the trailer names another catalog',
  'page-tree': 'pages were added, removed, or ordered anew',
  'page-content': 'something that pages are drawn from changed',
  'other-object': 'an object changed that has no role in which it may change',
  'dangling-reference': 'an unchanged object refers to what was undefined when it was signed, and is defined now',
  'generation-changed': 'a number that is in use was given to another object',
  'object-stream-replaced': 'a stream that contains other objects was replaced',
  'locked-field': 'a field changed that a signature locks',
  'field-added': 'a field was added that is no signature field, or not a plain one',
  'field-removed': 'a field was removed, or fields were ordered anew',
  'widget-added': 'a widget was added to a page or a field',
  'widget-removed': 'a widget was removed from a page or a field',
  'signature-changed': 'a signature was changed, replaced or removed',
  'order-of-annotations': 'annotations that are no markup were ordered anew',
} as const
export type RefusalName = keyof typeof refusals

/** Names of findings about what could not be judged. */
export const limitations = {
  'unreadable-object': 'the bytes of an object are ambiguous',
  'unreadable-file': 'the structure of the file is ambiguous',
  'too-many-objects': 'the document has more objects than are searched for references',
  'too-many-revisions': 'more revisions are signed than are judged one by one',
  'too-deep': 'page tree or field tree is deeper than is followed',
  'unlocated-signature': 'the signature does not cover a revision of the file',
} as const
export type LimitationName = keyof typeof limitations
