// The engine: its exact version, and the workarounds for memory and file leaks of this version.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { JobRefusal } from '../../../workers/contract/job-refusal.js'
import { openFile } from '../../../workers/document/open-file.js'
import { asTask, heapBytes, mupdf, mupdfVersion } from '../../../workers/engine/library.js'
import { isEngineError, isTrap } from '../../../workers/engine/trap.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { Workshop } from '../../support/pdf/workshop.js'

const noProc = { skip: !existsSync('/proc/self/fd') && 'only where the system lists open files in /proc' }

t.test('the engine is pinned to the version that the workarounds were written for', async (t) => {
  const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
  t.equal(manifest.dependencies.mupdf, mupdfVersion)
})

t.test('released objects leave no memory behind', async (t) => {
  const pdf = new mupdf.PDFDocument()
  const touch = (times: number): void => {
    for (let time = 0; time < times; time++) {
      const text = pdf.newString('a string of some length, so that what is lost can be seen')
      const dictionary = pdf.newDictionary()
      dictionary.put('Key', text)
      dictionary.get('Key').destroy()
      for (const object of [text, dictionary]) object.destroy()
    }
  }
  touch(1_000)
  const before = heapBytes()
  touch(200_000)
  pdf.destroy()
  t.equal(heapBytes(), before)
})

t.test('objects that a task used are released when it ends or fails, and cannot be used afterwards', async (t) => {
  const pdf = new mupdf.PDFDocument()
  const before = pdf.newString('made by no task')
  const look = () => Array.from({ length: 20_000 }, () => pdf.newString('a string of some length, that can be missed'))
  const [first] = await asTask(look)
  const bytes = heapBytes()
  for (let task = 0; task < 20; task++) await asTask(async () => look().length)
  const failure = () => Promise.reject(new Error(String(look().length)))
  await t.rejects(asTask(failure), { message: '20000' })
  t.equal(heapBytes(), bytes, 'memory is released without the garbage collector')
  t.equal(first?.isString(), false)
  t.equal(before.asString(), 'made by no task')
  pdf.destroy()
})

t.test('a file is closed when its document is destroyed or cannot be opened', noProc, async (t) => {
  const workshop = Workshop.of(t)
  const [good, bad] = [workshop.source(onePage('0 0 9 9 re f')), workshop.source(Buffer.from('%PDF-1.7 and no more'))]
  const openAndClose = (): void => {
    openFile(good).destroy()
    try {
      openFile(bad)
      t.fail('nobody can open this')
    } catch (error) {
      if (!(error instanceof JobRefusal)) throw error
    }
  }
  openAndClose()
  const before = openDescriptors()
  for (let time = 0; time < 20; time++) openAndClose()
  t.equal(openDescriptors(), before)
})

t.test('errors of the engine, bugs and WebAssembly traps are distinguished', async (t) => {
  const thrown = (run: () => unknown): unknown => {
    try {
      return run()
    } catch (error) {
      return error
    }
  }
  const pdf = new mupdf.PDFDocument()
  const engine = thrown(() => pdf.loadPage(7))
  const misuse = thrown(() => pdf.addPage([0, 0, 1, 1], 0, {}, Reflect.get({}, 'contents')))
  const trap = new WebAssembly.RuntimeError('memory access out of bounds')
  t.ok(isEngineError(engine), String(engine))
  t.same([misuse, trap, new Error('ours')].map(isEngineError), [false, false, false])
  t.same([trap, new RangeError('Maximum call stack size exceeded'), engine, misuse].map(isTrap), [
    true,
    true,
    false,
    false,
  ])
  pdf.destroy()
})

function openDescriptors(): number {
  return readdirSync('/proc/self/fd').length
}
