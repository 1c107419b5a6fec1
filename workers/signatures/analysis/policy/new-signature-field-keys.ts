// Entries of signature fields that may be added.

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
