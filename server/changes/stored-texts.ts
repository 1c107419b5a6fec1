// Long texts of stored changes. An undo brings back texts that the change it undoes, or one before that, has stored: it
// refers to them, so that undoing and redoing in turns does not store them again each time.
import { type Static, Type } from 'typebox'

/** Length from which a text is referred to: a reference takes some 60 characters. */
const charactersMin = 512

/** Place of a text: the audit id of the change that stores it, and its index among the long texts there. */
export const TextPlace = Type.Tuple([Type.Integer({ minimum: 1 }), Type.Integer({ minimum: 0 })])
export type TextPlace = Static<typeof TextPlace>

/** References beside the tree, whose text is empty where they belong: what callers send cannot be taken for one. */
export const TextReferences = Type.Array(
  Type.Object({ at: Type.Array(Type.Union([Type.String(), Type.Integer()])), of: TextPlace }),
)
export type TextReferences = Static<typeof TextReferences>

type Path = TextReferences[number]['at']

/** Returns the long texts of a tree in its order. */
export function longTextsIn(tree: unknown): readonly string[] {
  const found: string[] = []
  visitTexts(tree, [], (text) => void found.push(text))
  return found
}

/** Empties the texts that are stored elsewhere, in a tree of which nothing else is needed, and returns references. */
export function referTexts(tree: object, places: ReadonlyMap<string, TextPlace>): TextReferences {
  const references: TextReferences = []
  visitTexts(tree, [], (text, at) => {
    const of = places.get(text)
    if (of !== undefined) references.push({ at: [...at], of })
  })
  for (const { at } of references) putText(tree, at, '')
  return references
}

export function putText(tree: object, path: Path, text: string): void {
  let holder: Record<string | number, unknown> = Object(tree)
  for (const name of path.slice(0, -1)) holder = Object(holder[name])
  const [last] = path.slice(-1)
  if (last !== undefined && Object.hasOwn(holder, last)) holder[last] = text
}

function visitTexts(value: unknown, path: Path, visit: (text: string, path: Path) => void): void {
  if (typeof value === 'string' && value.length >= charactersMin) visit(value, path)
  if (typeof value !== 'object' || value === null) return
  for (const [name, one] of Object.entries(value)) {
    path.push(Array.isArray(value) ? Number(name) : name)
    visitTexts(one, path, visit)
    path.pop()
  }
}
