// Object numbers that a damaged file refers to, although their objects are lost. A new object of such a number would
// become part of the old ones: a page whose content is missing would show it.
import { closeSync, openSync, readSync } from 'node:fs'

const chunkBytes = 1 << 20
/** Maximum length of a reference, or of the header of an object. */
const overlapBytes = 24
/**
 * Maximum number of numbers that are reserved, because a reference may claim any number, and skipped ones cost memory.
 */
const reservedMax = 10_000

const reference = /(?<![\d.])(\d{1,10}) \d{1,5} R(?![A-Za-z])/g
const header = /(?<![\d.])(\d{1,10}) \d{1,5} obj(?![A-Za-z])/g

/**
 * Returns the highest number that is referred to in a file without object streams, at least `highestObject`. Binary
 * data that looks like a reference counts as one, which only reserves a number too many.
 */
export const highestReferenced = (path: string, highestObject: number): number =>
  highestMatch(path, highestObject, reference)

/**
 * Returns the highest number of an object that stands in a file, at least `highestObject`. A repair would find objects that
 * no cross-reference section lists. Headers of objects are not encrypted.
 */
export const highestWritten = (path: string, highestObject: number): number => highestMatch(path, highestObject, header)

function highestMatch(path: string, highestObject: number, pattern: RegExp): number {
  const descriptor = openSync(path, 'r')
  try {
    const chunk = Buffer.alloc(chunkBytes)
    let highest = highestObject
    for (let at = 0; ; at += chunkBytes - overlapBytes) {
      const length = readSync(descriptor, chunk, 0, chunkBytes, at)
      for (const [, digits] of chunk.toString('latin1', 0, length).matchAll(pattern)) {
        const number = Number(digits)
        if (number > highest && number <= highestObject + reservedMax) highest = number
      }
      if (length < chunkBytes) return highest
    }
  } finally {
    closeSync(descriptor)
  }
}
