// Names for what a link or token may do in a document, and the scopes behind each: those of `agents documents share` and of the
// console.

/** Looking at a document without saving it: the least that a link is for. */
export const readingScopes: readonly string[] = [
  'doc.open',
  'doc.render',
  'doc.text.select',
  'doc.text.copy',
  'doc.text.search',
  'doc.annotate.read',
  'doc.forms.read',
]

/** Scopes beside those of reading, which every preset includes. */
export const scopePresets = {
  read: [],
  print: ['doc.print', 'doc.print.high'],
  download: ['doc.download'],
  fill: ['doc.forms.fill'],
  /** To write comments, and to change and remove one's own. */
  comment: ['annotations:*:self'],
  /** To change and remove the comments of others too. */
  moderate: ['annotations:*:all'],
} satisfies Record<string, readonly string[]>

export type ScopePreset = keyof typeof scopePresets

/** For help texts. */
export const presetNames = Object.keys(scopePresets).join(', ')

/** Returns the scopes of these words; those that are no names of presets stay. */
export function scopesOf(words: readonly string[]): readonly string[] {
  const scopes = words.flatMap((word) => (isPreset(word) ? [...readingScopes, ...scopePresets[word]] : [word]))
  return [...new Set(scopes)]
}

function isPreset(word: string): word is ScopePreset {
  return Object.hasOwn(scopePresets, word)
}
