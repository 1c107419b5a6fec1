// Finds words in the files of a folder: plain, in UTF-16, in hexadecimal, and any of these within base64.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns `word: path` for each match. */
export function wordsIn(folder: string, words: readonly string[]): readonly string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.flatMap(({ parentPath, name }) => {
    const path = join(parentPath, name)
    const bytes = readFileSync(path)
    return wordsOf(bytes, words).map((word) => `${word}: ${path.slice(folder.length + 1)}`)
  })
}

/** Returns those of the words that are in the bytes. */
export const wordsOf = (bytes: Buffer, words: readonly string[]): readonly string[] =>
  words.filter((word) => bytes.includes(word) || formsOf(word).some((form) => bytes.includes(form)))

function formsOf(word: string): readonly Buffer[] {
  const little = Buffer.from(word, 'utf16le')
  const big = Buffer.from(little).swap16()
  const plain = [Buffer.from(word), little, big]
  const hex = plain.flatMap((bytes) => [bytes.toString('hex'), bytes.toString('hex').toUpperCase()])
  const written = [...plain, ...hex.map((text) => Buffer.from(text))]
  return [...written, ...written.flatMap(inBase64)]
}

/** Returns the part of the base64 of the bytes that is the same whatever comes before and after them. */
function inBase64(bytes: Buffer): readonly Buffer[] {
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    const begin = Math.ceil((before * 8) / 6)
    const end = Math.floor(((before + bytes.length) * 8) / 6)
    return Buffer.from(text.slice(begin, end))
  })
}
