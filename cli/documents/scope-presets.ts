// Names for what a link may do, and the scopes of tokens behind each. They are those of the console.

const read = [
  'doc.open',
  'doc.render',
  'doc.text.select',
  'doc.text.copy',
  'doc.text.search',
  'doc.annotate.read',
  'doc.forms.read',
]

/** Every preset includes reading. */
export const scopePresets: Readonly<Record<string, readonly string[]>> = {
  read: [],
  print: ['doc.print', 'doc.print.high'],
  download: ['doc.download'],
  fill: ['doc.forms.fill'],
  /** To write comments, and to change and remove one's own. */
  comment: ['annotations:*:self'],
  /** To change and remove the comments of others too. */
  moderate: ['annotations:*:all'],
}

/** For help texts. */
export const presetNames = Object.keys(scopePresets).join(', ')

/** Returns the scopes of these words; those that are no names of presets stay. */
export function scopesOf(words: readonly string[]): readonly string[] {
  const scopes = words.flatMap((word) => {
    const preset = Object.hasOwn(scopePresets, word) ? scopePresets[word] : undefined
    return preset === undefined ? [word] : [...read, ...preset]
  })
  return [...new Set(scopes)]
}
