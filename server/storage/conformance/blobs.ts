// Conformance suite of blob stores.
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Blobs } from '../blobs.js'
import { chunks, listNames, named, readAll } from './blob-content.js'
import type { Tester } from './tester.js'

/** Opens the blobs of a name; opening the same name again opens the same blobs. */
export type OpenBlobs = (name: string) => Promise<Blobs>

const checks = { sizeBytesMax: 1_000_000 }
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

export async function blobsConformance(t: Tester, open: OpenBlobs): Promise<void> {
  let opened = 0
  const rule = (title: string, check: (t: Tester, blobs: Blobs, name: string) => Promise<void>) =>
    t.test(title, async (t) => {
      opened += 1
      const name = `conformance-${opened}`
      await check(t, await open(name), name)
    })

  await rule('a written blob is read back, with its size and hash', async (t, blobs) => {
    const bytes = Buffer.from(Array.from({ length: 700_000 }, (_, index) => index % 251))
    const facts = await blobs.write(named('a.pdf'), chunks(bytes.subarray(0, 7), bytes.subarray(7)), checks)
    t.same(facts, { sizeBytes: bytes.length, sha256: sha256(bytes) })
    t.equal(await blobs.size(named('a.pdf')), bytes.length)
    t.ok((await readAll(blobs.read(named('a.pdf')))).equals(bytes))
  })

  await rule('a blob may be empty', async (t, blobs) => {
    await blobs.write(named('empty'), chunks(), checks)
    t.equal(await blobs.size(named('empty')), 0)
    t.equal((await readAll(blobs.read(named('empty')))).length, 0)
  })

  await rule('blobs are there after the store is opened again', async (t, blobs, name) => {
    await blobs.write(named('a'), chunks('kept'), checks)
    const again = await open(name)
    t.equal((await readAll(again.read(named('a')))).toString(), 'kept')
  })

  await rule('a missing blob has no size and cannot be read', async (t, blobs) => {
    t.equal(await blobs.size(named('none')), undefined)
    await t.rejects(readAll(blobs.read(named('none'))), { name: 'BlobMissing' })
    await t.rejects(blobs.openLocal(named('none')), { name: 'BlobMissing' })
  })

  await rule('a range includes both ends; a range outside the blob is refused', async (t, blobs) => {
    await blobs.write(named('a'), chunks('0123456789'), checks)
    const part = async (first: number, last: number) =>
      (await readAll(blobs.read(named('a'), { first, last }))).toString()
    t.same([await part(0, 0), await part(3, 5), await part(9, 9), await part(0, 9)], ['0', '345', '9', '0123456789'])
    for (const [first, last] of [
      [0, 10],
      [10, 10],
      [5, 4],
      [-1, 3],
    ] as const) {
      await t.rejects(part(first, last), { name: 'RangeError' })
    }
  })

  await rule('wrong sizes and wrong hashes leave no blob', async (t, blobs) => {
    const right = { ...checks, sizeBytes: 4, sha256: sha256(Buffer.from('good')) }
    const write = (content: string, wanted: object) =>
      blobs.write(named('a'), chunks(content), { ...checks, ...wanted })
    await t.rejects(write('good!', right), { name: 'BlobMismatch', subject: 'sizeBytes', expected: 4, actual: 5 })
    await t.rejects(write('go', right), { name: 'BlobMismatch', subject: 'sizeBytes' })
    await t.rejects(write('evil', right), { name: 'BlobMismatch', subject: 'sha256' })
    t.same(await listNames(blobs), [])
    await write('good', right)
    t.same(await listNames(blobs), ['t1/d1/a'])
  })

  await rule('writing stops at the first byte above the limit, and reads no more of the stream', async (t, blobs) => {
    let taken = 0
    async function* endless() {
      for (;;) {
        taken += 1
        yield new Uint8Array(1000)
      }
    }
    await t.rejects(blobs.write(named('a'), endless(), { sizeBytesMax: 5500 }), {
      name: 'BlobTooLarge',
      sizeBytesMax: 5500,
    })
    t.equal(taken, 6)
    t.same(await listNames(blobs), [])
  })

  await rule('a stream that fails leaves no blob, and an existing blob of the name is unchanged', async (t, blobs) => {
    async function* broken() {
      yield Buffer.from('half of it')
      throw new Error('the client has gone')
    }
    await blobs.write(named('a'), chunks('whole'), checks)
    await t.rejects(blobs.write(named('a'), broken(), checks), { message: 'the client has gone' })
    t.equal((await readAll(blobs.read(named('a')))).toString(), 'whole')
  })

  await rule('a blob is invisible until it is complete', async (t, blobs) => {
    const seen: (number | undefined)[] = []
    async function* watched() {
      yield Buffer.from('first')
      seen.push(await blobs.size(named('a')))
      t.same(await listNames(blobs), [])
      yield Buffer.from('second')
    }
    await blobs.write(named('a'), watched(), checks)
    t.same([...seen, await blobs.size(named('a'))], [undefined, 11])
  })

  await rule('the next chunk is requested only after the previous one was consumed', async (t, blobs) => {
    let isTaken = true
    async function* endlessUntilAborted() {
      for (let index = 0; index < 20; index++) {
        t.ok(isTaken)
        isTaken = false
        yield new Uint8Array(10_000)
        isTaken = true
      }
    }
    t.equal((await blobs.write(named('a'), endlessUntilAborted(), checks)).sizeBytes, 200_000)
  })

  await rule('two concurrent writes of the same name leave one complete blob', async (t, blobs) => {
    const all = ['aaaa', 'bbbb', 'cccc'].map((content) => blobs.write(named('a'), chunks(content, content), checks))
    await Promise.all(all)
    t.ok(['aaaaaaaa', 'bbbbbbbb', 'cccccccc'].includes((await readAll(blobs.read(named('a')))).toString()))
    t.same(await listNames(blobs), ['t1/d1/a'])
  })

  await rule(
    'a local copy is a file that can be opened until it is let go, even while it is removed',
    async (t, blobs) => {
      await blobs.write(named('a'), chunks('content'), checks)
      const first = await blobs.openLocal(named('a'))
      const second = await blobs.openLocal(named('a'))
      const removal = Promise.all([blobs.remove(named('a')), blobs.removeAll({ tenant: 't1' })])
      first.release()
      first.release()
      t.equal(await readFile(second.path, 'utf8'), 'content')
      second.release()
      await removal
      t.equal(await blobs.size(named('a')), undefined)
    },
  )

  await rule('a file in the staging folder can be adopted; one outside of it cannot', async (t, blobs) => {
    const path = join(blobs.staging, 'made-by-a-worker')
    await writeFile(path, 'picture')
    await blobs.adopt(named('thumbnail.webp'), path)
    t.equal((await readAll(blobs.read(named('thumbnail.webp')))).toString(), 'picture')
    await t.rejects(readFile(path), { code: 'ENOENT' })
    await t.rejects(blobs.adopt(named('b'), join(blobs.staging, '..', 'elsewhere')), { name: 'TypeError' })
  })

  await rule('opening empties the staging folder', async (t, blobs, name) => {
    const path = join(blobs.staging, 'left-behind')
    await writeFile(path, '')
    await open(name)
    await t.rejects(readFile(path), { code: 'ENOENT' })
  })

  await rule('removal removes one blob, a document or a tenant, and nothing else', async (t, blobs) => {
    for (const tenant of ['t1', 't10']) {
      for (const document of ['d1', 'd10']) {
        for (const name of ['a', 'a.b']) await blobs.write(named(name, document, tenant), chunks(name), checks)
      }
    }
    await blobs.remove(named('a'))
    await blobs.remove(named('a'))
    t.same((await listNames(blobs)).slice(0, 3), ['t1/d1/a.b', 't1/d10/a', 't1/d10/a.b'])
    await blobs.removeAll({ tenant: 't1', document: 'd1' })
    await blobs.removeAll({ tenant: 't1', document: 'none' })
    t.same((await listNames(blobs)).slice(0, 2), ['t1/d10/a', 't1/d10/a.b'])
    await blobs.removeAll({ tenant: 't1' })
    await blobs.removeAll({ tenant: 't1' })
    t.same(await listNames(blobs), ['t10/d1/a', 't10/d1/a.b', 't10/d10/a', 't10/d10/a.b'])
  })

  await rule('names that could address other folders are refused', async (t, blobs) => {
    for (const bad of ['..', '.', '.hidden', 'a/b', 'a\\b', '', 'a\u0000', 'x'.repeat(200)]) {
      await t.rejects(blobs.write(named(bad), chunks('x'), checks), { name: 'TypeError' }, JSON.stringify(bad))
      await t.rejects(blobs.write(named('a', bad), chunks('x'), checks), { name: 'TypeError' })
      await t.rejects(readAll(blobs.read(named('a', 'd1', bad))), { name: 'TypeError' })
      await t.rejects(blobs.removeAll({ tenant: bad }), { name: 'TypeError' })
    }
    t.same(await listNames(blobs), [])
  })

  await rule('a probe leaves nothing behind', async (t, blobs) => {
    await blobs.probe()
    t.same(await listNames(blobs), [])
  })
}
