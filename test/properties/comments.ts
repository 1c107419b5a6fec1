// Adds comments to everything in a file that can have one, and finds comments that a change must have preserved.
import { Document, isMap, isScalar, isSeq, parse, parseDocument } from 'yaml'
import { isObject } from '../../core/value/tree.js'

/** Adds a comment before every member of a map in block style, except for words on one line. */
export function commented(json: string): string {
  const document = new Document(JSON.parse(json), { aliasDuplicateObjects: false })
  let count = 0
  const visit = (node: unknown): void => {
    if (isSeq(node)) for (const item of node.items) visit(item)
    if (!isMap(node)) return
    node.items.forEach((pair, index) => {
      count++
      if (isScalar(pair.key) && index > 0) pair.key.commentBefore = ` c${count}.`
      else node.commentBefore = ` c${count}.`
      visit(pair.value)
    })
  }
  visit(document.contents)
  return document.toString({ lineWidth: 0 })
}

/** Returns lost comments whose members still exist. */
export function lostComments(before: string, after: string): readonly string[] {
  const now: unknown = parse(after)
  const lost: string[] = []
  const visit = (node: unknown, value: unknown): void => {
    if (!isMap(node) || !isObject(value)) return
    for (const { key, value: member } of node.items) {
      if (!isScalar(key) || value[String(key.value)] === undefined) continue
      const comment = key.commentBefore
      if (typeof comment === 'string' && !after.includes(`#${comment}\n`)) lost.push(`${String(key.value)}:${comment}`)
      visit(member, value[String(key.value)])
    }
  }
  visit(parseDocument(before).contents, now)
  return lost
}
