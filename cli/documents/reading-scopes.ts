// Scopes of a link for reading.

/** Looking at a document without saving it. */
export const readingScopes: readonly string[] = [
  'doc.open',
  'doc.render',
  'doc.text.select',
  'doc.text.copy',
  'doc.text.search',
  'doc.annotate.read',
  'doc.forms.read',
]

export const savingScopes: readonly string[] = ['doc.download', 'doc.print', 'doc.print.high']
