// Limits of files with annotations and values of fields, each with its unit. A file that exceeds one is refused.

export const exchangeLimits = {
  /** Maximum size of an XFDF or FDF file in bytes. */
  fileBytesMax: 16 * 1024 * 1024,
  /** Maximum number of elements of an XFDF, of attributes of one of them, and of levels of elements. */
  elementsMax: 200_000,
  attributesMax: 100,
  xmlDepthMax: 100,
  /** Maximum number of annotations of one import: each is created, drawn and listed in the answer. */
  annotationsMax: 2_000,
  /** Maximum number of fields, and of levels of their names. */
  fieldsMax: 20_000,
  fieldDepthMax: 64,
  /** Maximum number of indirect objects of an FDF. */
  objectsMax: 50_000,
  /** Maximum number of numbers in one list: points of a stroke, corners of quads. */
  numbersMax: 100_000,
  /** Maximum number of ignored members that an answer names for one annotation. */
  ignoredNamesMax: 20,
  /** Maximum length of a name, message or attribute that an answer repeats. */
  shownCharactersMax: 200,
} as const

export const shown = (text: string): string => text.slice(0, exchangeLimits.shownCharactersMax)
