// Compiles the PDF engine once for all threads, with a limit on the memory of each. The package allows 2 GiB per
// thread, which a small file can fill, and Node has no limit of its own for such memory.
import { readFile } from 'node:fs/promises'

const pageBytes = 65_536
/** Magic number and version (WebAssembly core specification, 5.5.16). */
const headerBytes = 8
const memorySection = 5
const hasMaximum = 1

export async function compileEngine(memoryBytesMax: number): Promise<WebAssembly.Module> {
  const code = await readFile(new URL('mupdf-wasm.wasm', import.meta.resolve('mupdf')))
  boundMemory(code, Math.floor(memoryBytesMax / pageBytes))
  return await WebAssembly.compile(code)
}

/** Changes the module so that its memory cannot grow above `pagesMax` pages. */
function boundMemory(code: Uint8Array, pagesMax: number): void {
  const place = placeOfMaximum(code)
  const [, end] = unsigned(code, place)
  let rest = pagesMax
  for (let at = place; at < end; at++) {
    // Seven bits per byte; all but the last byte have the continuation bit set.
    code[at] = (rest & 0x7f) | (at < end - 1 ? 0x80 : 0)
    rest >>>= 7
  }
  if (rest > 0) throw new RangeError('The memory limit needs more bytes than the module has for it')
}

/**
 * Returns the offset of the memory's maximum. A section consists of id, length and content; that of the memory of a
 * count, a flag, a minimum and a maximum.
 */
function placeOfMaximum(code: Uint8Array): number {
  let at = headerBytes
  while (at < code.length) {
    const [length, content] = unsigned(code, at + 1)
    if (code[at] === memorySection) {
      const [, flag] = unsigned(code, content)
      if (code[flag] !== hasMaximum) break
      return unsigned(code, flag + 1)[1]
    }
    at = content + length
  }
  throw new Error('The PDF engine has no memory section of the expected form')
}

/** Reads a LEB128 number. Returns it with the offset of its end. */
function unsigned(code: Uint8Array, at: number): readonly [value: number, end: number] {
  let value = 0
  for (let shift = 0, place = at; ; shift += 7, place++) {
    const byte = code[place] ?? 0
    value += (byte & 0x7f) * 2 ** shift
    if (byte < 0x80) return [value, place + 1]
  }
}
