// Annotations that may be added, changed or removed in a certified document at level `annotate`. Others can cover page
// content or imitate it, so that a reader takes a later addition for what was certified.

/** Names of the PDF file (`/Subtype`). */
export const annotationsUnderCertification: ReadonlySet<string> = new Set([
  'Text',
  'Highlight',
  'Underline',
  'Squiggly',
  'StrikeOut',
  'Ink',
  'Line',
  'Square',
  'Circle',
  'Polygon',
  'PolyLine',
  'Caret',
  'Popup',
])

/** Further ones that may be added to a document that is signed, but not certified. */
export const annotationsUnderSignature: ReadonlySet<string> = new Set([
  ...annotationsUnderCertification,
  'FreeText',
  'Stamp',
  'FileAttachment',
  'Link',
  'Redact',
])
