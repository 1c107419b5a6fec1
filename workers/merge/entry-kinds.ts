// How entries of dictionaries are merged, by their names. An entry that no table names is a scalar.

/** Arrays of references whose members count, and not their number: members of both sides are kept. */
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
 * Dictionaries and arrays that have no meaning of their own: if both sides created one under different numbers, or one
 * inline and one not, their content is merged.
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

/** Entries that follow from others: they are written again after the merge, or the latest one is as good as any. */
export const derived: ReadonlySet<string> = new Set(['/AP', '/AS', '/M', '/ModDate', '/NeedAppearances'])

/** Entries that only make sense together: if both sides changed some of a group, all of it is the layer's. */
export const groups: readonly ReadonlySet<string>[] = [
  new Set(['/Rect', '/RD', '/QuadPoints', '/Vertices', '/L', '/InkList', '/CL', '/STWD_Box', '/STWD_CaptionCenter']),
  new Set(['/V', '/RV', '/I']),
  new Set(['/Contents', '/RC']),
]
