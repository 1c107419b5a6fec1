// Tables of dictionary entries by the way they are merged. An entry in no table is a scalar.

/** Arrays of references that are sets: the members of both sides are kept. */
export const sets: ReadonlySet<string> = new Set([
  '/Annots',
  '/Kids',
  '/Fields',
  '/CO',
  '/OCGs',
  '/Order',
  '/ON',
  '/OFF',
])

/** Sorted lists of a key and its value (ISO 32000-2, 7.9.6 and 7.9.7). */
export const pairLists: ReadonlySet<string> = new Set(['/Names', '/Nums'])

/**
 * Dictionaries and arrays without an identity. If both sides created one, under different numbers or one of them
 * inline, their contents are merged.
 */
export const containers: ReadonlySet<string> = new Set([
  ...sets,
  ...pairLists,
  '/AA',
  '/AcroForm',
  '/BE',
  '/BS',
  '/ColorSpace',
  '/Contents',
  '/D',
  '/DR',
  '/DSS',
  '/Dests',
  '/EmbeddedFiles',
  '/ExtGState',
  '/Extensions',
  '/Font',
  '/Info',
  '/JavaScript',
  '/MK',
  '/MarkInfo',
  '/OCProperties',
  '/PageLabels',
  '/Pages',
  '/Pattern',
  '/Perms',
  '/Popup',
  '/Properties',
  '/Resources',
  '/Shading',
  '/ViewerPreferences',
  '/XObject',
])

/** Entries that derive from others: they are written again after the merge, or the value of either side is right. */
export const derived: ReadonlySet<string> = new Set(['/AP', '/AS', '/M', '/ModDate', '/NeedAppearances'])

/** Entries that belong together: if both sides changed some of a group, all entries of the layer win. */
export const groups: readonly ReadonlySet<string>[] = [
  new Set(['/Rect', '/RD', '/QuadPoints', '/Vertices', '/L', '/InkList', '/CL', '/STWD_Box', '/STWD_CaptionCenter']),
  new Set(['/V', '/RV', '/I']),
  new Set(['/Contents', '/RC']),
]
