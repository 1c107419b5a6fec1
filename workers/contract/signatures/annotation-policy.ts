// Annotation types (`/Subtype`) that may be added, changed or removed in signed documents at level `annotate`.

/** Types for certified documents. Others can cover or imitate page content, so that they would pass for certified. */
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

/** Types for documents that are signed, but not certified. */
export const annotationsUnderSignature: ReadonlySet<string> = new Set([
  ...annotationsUnderCertification,
  'FreeText',
  'Stamp',
  'FileAttachment',
  'Link',
  'Redact',
])
