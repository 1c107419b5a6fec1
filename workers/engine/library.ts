// Loads mupdf once per thread from the compiled module that the pool shares, and patches the faults of this exact
// version. All other code imports the library from here and only types from the package.
import { readFileSync } from 'node:fs'
import type { PDFDocument, PDFObject } from 'mupdf'
import { sharedModule } from '../messages/thread-data.js'
import { bytesOfName, mayHaveRawBytes, nameFromBytes } from './names.js'

/** Version that the patches below were written for; check them before using another one. */
export const mupdfVersion = '1.28.1'

type ObjectPointer = ReturnType<PDFObject['_get']>

interface RawModule {
  readonly HEAPU8: Uint8Array
  _wasm_pdf_drop_obj(pointer: number): void
  _wasm_keep_shade(pointer: number): number
  _wasm_pdf_array_get(array: number, place: number): number
  _wasm_pdf_array_put(array: number, place: number, pointer: number): void
  _wasm_pdf_is_indirect(pointer: number): number
  _wasm_pdf_to_num(pointer: number): number
  _wasm_pdf_to_name(pointer: number): number
  _wasm_pdf_new_name(text: number): ObjectPointer
  _wasm_malloc(size: number): number
  _wasm_free(pointer: number): void
}

/** Members that the package's own declarations leave out. */
interface Wrapper {
  pointer: number
}

assertVersion()
globalThis.$libmupdf_wasm_Module = moduleOptions()

/**
 * The engine of this thread. It is the only module-level state, because a thread cannot have two WebAssembly memories.
 */
export const mupdf = await import('mupdf')

/** Functions below the wrappers, and their memory. */
export const raw: RawModule = globalThis.$libmupdf_wasm_Module

dropWhatWrappersKeepTwice()
keepBytesOfNames()
keepControlCharacters()
const lent = lendWrappers()
// Warnings about broken files would reach the console; relevant ones are thrown as errors.
mupdf.setLog(null)

/**
 * Runs a task and releases all object wrappers that it created when it ends; they are invalid afterwards and must not
 * be retained. Documents, pages and pictures are not affected.
 */
export async function asTask<Answer>(work: () => Answer | Promise<Answer>): Promise<Answer> {
  lent.tasks++
  try {
    return await work()
  } finally {
    // Concurrent tasks occur in tests, never in a worker thread.
    if (--lent.tasks === 0) lent.giveBack()
  }
}

/** Returns the bytes of WebAssembly memory of this thread. */
export const heapBytes = (): number => raw.HEAPU8.byteLength

function assertVersion(): void {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.resolve('mupdf')), 'utf8'))
  const version = typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : null
  if (version !== mupdfVersion) throw new Error(`mupdf is ${String(version)}; this program is made for ${mupdfVersion}`)
}

function moduleOptions(): object {
  // A thread outside the pool compiles by itself, and waits: work in the background would not keep its process alive.
  const compiled =
    sharedModule() ?? new WebAssembly.Module(readFileSync(new URL('mupdf-wasm.wasm', import.meta.resolve('mupdf'))))
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
 * Patches a leak of one reference per wrapper: the constructor of PDFObject takes a reference although both factories
 * pass one already. One factory then releases its reference, the other one no longer takes it.
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

/**
 * Patches the wrappers to pass names as bytes: they decode names as UTF-8 and encode them again, which alters names
 * that are not UTF-8.
 */
function keepBytesOfNames(): void {
  const document: PDFDocument = mupdf.PDFDocument.prototype
  const { newName } = document
  document.newName = function (name): PDFObject {
    return mayHaveRawBytes(name)
      ? this._fromPDFObjectNew(withBytes(bytesOfName(name), raw._wasm_pdf_new_name))
      : newName.call(this, name)
  }
  const object: PDFObject = mupdf.PDFObject.prototype
  const { _get, getInheritable, put, delete: remove } = object
  const keyOf = <Key>(holder: PDFObject, key: Key): Key | PDFObject =>
    typeof key === 'string' && mayHaveRawBytes(key) ? holder._doc.newName(key) : key
  object.asName = function (): string {
    return nameFromBytes(textAt(raw._wasm_pdf_to_name(this.pointer)))
  }
  object._get = function (path): ObjectPointer {
    return _get.call(
      this,
      path.map((key) => keyOf(this, key)),
    )
  }
  object.getInheritable = function (key): PDFObject {
    return getInheritable.call(this, keyOf(this, key))
  }
  object.put = function (key, value): PDFObject {
    return put.call(this, keyOf(this, key), value)
  }
  object.delete = function (key): void {
    remove.call(this, keyOf(this, key))
  }
}

/**
 * Patches the encoding of text strings: the engine writes ASCII characters unchanged, although PDFDocEncoding has other
 * characters for most control codes (ISO 32000-2, annex D.2), and its strings end at U+0000.
 */
function keepControlCharacters(): void {
  const document: PDFDocument = mupdf.PDFDocument.prototype
  const { newString } = document
  document.newString = function (text): PDFObject {
    if (!/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(text)) return newString.call(this, text)
    return this.newByteString(Buffer.from(`\ufeff${text}`, 'utf16le').swap16())
  }
}

/** Reads one character per byte up to the first zero byte. */
function textAt(pointer: number): string {
  const { HEAPU8 } = raw
  return Buffer.from(HEAPU8.buffer, pointer, HEAPU8.indexOf(0, pointer) - pointer).toString('latin1')
}

function withBytes<Made>(bytes: Uint8Array, make: (pointer: number) => Made): Made {
  const pointer = raw._wasm_malloc(bytes.length + 1)
  try {
    raw.HEAPU8.set(bytes, pointer)
    raw.HEAPU8[pointer + bytes.length] = 0
    return make(pointer)
  } finally {
    raw._wasm_free(pointer)
  }
}

/**
 * Replaces the registration of wrappers with the garbage collector: reading a value creates a wrapper, and
 * registration, promotion to the old generation and the finalizer's call would cost more than most reads.
 */
function lendWrappers() {
  let wrappers: Wrapper[] = []
  const forgotten = new FinalizationRegistry(raw._wasm_pdf_drop_obj)
  const tasks = {
    tasks: 0,
    giveBack(): void {
      const all = wrappers
      wrappers = []
      for (const wrapper of all) {
        if (wrapper.pointer !== 0) raw._wasm_pdf_drop_obj(wrapper.pointer)
        wrapper.pointer = 0
      }
    },
  }
  Object.assign(mupdf.PDFObject, {
    _finalizer: {
      register(wrapper: Wrapper, pointer: number): void {
        if (tasks.tasks > 0) wrappers.push(wrapper)
        else forgotten.register(wrapper, pointer, wrapper)
      },
      unregister: (wrapper: Wrapper) => forgotten.unregister(wrapper),
    },
  })
  return tasks
}
