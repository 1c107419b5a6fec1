// Array edits that the engine has no function for.
import type { PDFObject } from 'mupdf'
import { raw } from '../engine/library.js'

/** Inserts an element at `place`, at most the end. Elements before it are not read. */
export function insertAt(array: PDFObject, element: PDFObject, place = array.length): void {
  const at = Math.min(place, array.length)
  array.push(element)
  for (let next = array.length - 1; next > at; next--) {
    // The copy works on pointers, because wrappers for many elements would be slow.
    raw._wasm_pdf_array_put(array.pointer, next, raw._wasm_pdf_array_get(array.pointer, next - 1))
  }
  array.put(at, element)
}

export function rewriteArray(array: PDFObject, elements: readonly PDFObject[]): void {
  while (array.length > 0) array.delete(array.length - 1)
  for (const element of elements) array.push(element)
}
