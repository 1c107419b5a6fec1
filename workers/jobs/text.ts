// Extracts the text of a page in reading order (`doc.text`): its content without annotations and fields.
import { JobRefusal } from '../contract/job-refusal.js'
import type { PageText } from '../contract/page-text.js'
import { plainText } from '../pages/plain-text.js'
import type { Job, OnDocument } from './job.js'

export interface TextInput extends OnDocument {
  readonly page: number
}

export const text: Job<TextInput, PageText> = {
  kind: 'read',
  deadline: { constantMs: 5_000, perMegabyteMs: 20 },
  run({ source, page }, { open, limits }) {
    const characters = open(source).withContent(page, plainText)
    const max = limits.textCharactersMax
    if (characters.length <= max) return numbered(characters)
    const details = { limit: 'textCharactersMax', max, value: characters.length }
    throw new JobRefusal('PayloadTooLarge', `The page has more than ${max} characters`, details)
  },
}

/**
 * Counts characters as code points; JavaScript offsets count those outside of the basic plane twice. Anchors map one to
 * the other: the first character, and the one after every such character.
 */
export function numbered(characters: string): PageText {
  const charMap: [number, number][] = [[0, 0]]
  let index = 0
  let offset = 0
  for (const character of characters) {
    index += 1
    offset += character.length
    if (character.length > 1) charMap.push([index, offset])
  }
  return charMap.length === 1 ? { text: characters, charCount: index } : { text: characters, charCount: index, charMap }
}
