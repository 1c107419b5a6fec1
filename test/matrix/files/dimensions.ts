// Properties of a generated file: one value per dimension. The name of a file lists every unusual value
// (`aes-256+crop-inside+need-appearances`), so that a finding can be reproduced from the name alone.

export const dimensions = {
  encryption: [
    'plain',
    'rc4-40',
    'rc4-128',
    'aes-128',
    'aes-256',
    'clear-metadata',
    'owner-only',
    'aes-256-owner-only',
  ],
  xref: ['table', 'xref-stream', 'object-streams', 'hybrid', 'linearized', 'revisions', 'leading-junk'],
  geometry: [
    'upright',
    'rotate-90',
    'rotate-180',
    'rotate-270',
    'crop-inside',
    'negative-origin',
    'user-unit',
    'crop-outside',
    'crop-rotate-90',
  ],
  names: ['ascii-names', 'raw-names', 'raw-states'],
  sharing: ['own-objects', 'shared-annots', 'shared-contents', 'shared-resources', 'inherited'],
  form: [
    'no-form',
    'merged',
    'split',
    'orphans',
    'need-appearances',
    'opt-radio',
    'calculations',
    'password',
    'choices',
    'stray-widgets',
    'signature',
  ],
  content: ['balanced', 'open-q-cm', 'open-bt', 'open-clip', 'split-streams', 'stray-q'],
  picture: ['no-picture', 'scan-1bit', 'scan-grey', 'scan-jpeg', 'indexed', 'cmyk', 'smask', 'inline'],
  damage: [
    'sound',
    'offset-content',
    'offset-font',
    'offset-annotation',
    'truncated',
    'wrong-length',
    'missing-endobj',
  ],
} as const

export type Dimension = keyof typeof dimensions
export type Spec = { readonly [Name in Dimension]: (typeof dimensions)[Name][number] }

export const dimensionNames = Object.keys(dimensions).filter((name): name is Dimension => name in dimensions)

/** Usual file: the first value of every dimension. */
export const usual: Spec = specOf('usual')

export function nameOf(spec: Spec): string {
  const unusual = dimensionNames.filter((name) => spec[name] !== dimensions[name][0]).map((name) => spec[name])
  return unusual.join('+') || 'usual'
}

/** Throws if a word of the name is not a value. */
export function specOf(name: string): Spec {
  const words = name === 'usual' ? [] : name.split('+')
  const unknown = words.find((word) => dimensionNames.every((dimension) => !valuesOf(dimension).includes(word)))
  if (unknown !== undefined) throw new Error(`No dimension has the value ${unknown}`)
  const chosen = <Value extends string>(values: readonly [Value, ...Value[]]): Value =>
    values.find((value) => words.includes(value)) ?? values[0]
  return {
    encryption: chosen(dimensions.encryption),
    xref: chosen(dimensions.xref),
    geometry: chosen(dimensions.geometry),
    names: chosen(dimensions.names),
    sharing: chosen(dimensions.sharing),
    form: chosen(dimensions.form),
    content: chosen(dimensions.content),
    picture: chosen(dimensions.picture),
    damage: chosen(dimensions.damage),
  }
}

export const valuesOf = (dimension: Dimension): readonly string[] => dimensions[dimension]

/** Excludes impossible pairs: damage needs a table, and files not written by qpdf are not encrypted. */
export function isPossible(spec: Partial<Record<Dimension, string>>): boolean {
  const { encryption = 'plain', xref = 'table', damage = 'sound' } = spec
  const hasTable = ['table', 'revisions', 'leading-junk'].includes(xref)
  // A truncated file has lost its trailer, which refers to the encryption dictionary.
  if (damage === 'truncated' && encryption !== 'plain') return false
  if (damage !== 'sound' && !hasTable) return false
  return encryption === 'plain' || !['xref-stream', 'hybrid'].includes(xref)
}
