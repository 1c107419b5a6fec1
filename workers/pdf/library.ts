// The one door to mupdf: loads it once per thread, from the compiled module the pool shares, and repairs what this exact
// version gets wrong. Everything else takes the library from here and only types from the package.
import { readFileSync } from 'node:fs'
import type { PDFDocument, PDFObject } from 'mupdf'
import { sharedModule } from '../thread-data.js'

/** The repair below reaches into the package, so another version has to be read again before it is used. */
export const mupdfVersion = '1.28.1'

interface RawModule {
  readonly HEAPU8: Uint8Array
  _wasm_pdf_drop_obj(pointer: number): void
  _wasm_pdf_array_get(array: number, place: number): number
  _wasm_pdf_is_indirect(pointer: number): number
  _wasm_pdf_to_num(pointer: number): number
}

assertVersion()
globalThis.$libmupdf_wasm_Module = moduleOptions()

/** The engine of this thread: the one piece of module-level state, because WebAssembly memory cannot be had twice. */
export const mupdf = await import('mupdf')

/** The functions below the wrappers, and their memory. */
export const raw: RawModule = globalThis.$libmupdf_wasm_Module

dropWhatWrappersKeepTwice()
// Its complaints about broken files would reach the console; what matters comes as errors.
mupdf.setLog(null)

/** Bytes of WebAssembly memory this thread holds. */
export const heapBytes = (): number => raw.HEAPU8.byteLength

function assertVersion(): void {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.resolve('mupdf')), 'utf8'))
  const version = typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : null
  if (version !== mupdfVersion) throw new Error(`mupdf is ${String(version)}; this program is made for ${mupdfVersion}`)
}

function moduleOptions(): object {
  const compiled = sharedModule()
  if (compiled === undefined) return {}
  return {
    instantiateWasm(
      imports: WebAssembly.Imports,
      done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
    ): object {
      done(new WebAssembly.Instance(compiled, imports), compiled)
      return {}
    },
  }
}

/**
 * The constructor of PDFObject takes a reference of its own, but both factories hand it one already: every wrapper would
 * leak one. One factory gives its reference back, the other does not take it.
 */
function dropWhatWrappersKeepTwice(): void {
  const prototype: PDFDocument = mupdf.PDFDocument.prototype
  prototype._fromPDFObjectNew = function (pointer): PDFObject {
    if (!pointer) return mupdf.PDFObject.Null
    const wrapper = new mupdf.PDFObject(this, pointer)
    raw._wasm_pdf_drop_obj(pointer)
    return wrapper
  }
  prototype._fromPDFObjectKeep = function (pointer): PDFObject {
    return pointer ? new mupdf.PDFObject(this, pointer) : mupdf.PDFObject.Null
  }
}
