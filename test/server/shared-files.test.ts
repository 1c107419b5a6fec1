// Servers on one database that have not the same files are refused.
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { printed, start } from '../cli/program.js'
import { onePage } from '../support/pdf/raw-pdf.js'
import { needsEngines, startSharing } from './support/sharing.js'

t.test('servers on one database and their files', { ...needsEngines, timeout: 580_000 }, async (t) => {
  const { postgres, folder, run, words, serve, stop, refusal } = await startSharing(t)

  await t.test('the files of a folder go where the rows were copied', async (t) => {
    writeFileSync(join(folder, 'a.pdf'), onePage('0 0 10 10 re f'))
    const store = postgres.address('moved')
    let copies = 0
    const isServed = async (...flags: readonly string[]) => {
      const server = await serve(...words('files', ...flags))
      const { code, stdout } = await run('documents', 'download', 'a', '--out', `${copies++}.pdf`, '--data', 'files')
      t.equal(code, 0, stdout)
      await stop(server)
    }
    const server = await serve(...words('files'))
    t.equal((await run('documents', 'upload', 'a.pdf', '--id', 'a', '--data', 'files')).code, 0)
    await stop(server)
    t.equal((await run('store', 'copy', '--from', 'files', '--to', store)).code, 0)
    await isServed('--store', store)
    t.match(await refusal(...words('files')), { code: 'serve.other-files', detail: /--store names none/ })
    rmSync(join(folder, 'files/store'), { recursive: true })
    t.equal((await run('store', 'copy', '--from', store, '--to', 'files')).code, 0)
    await isServed()
    t.match(await refusal(...words('files', '--store', store)), { code: 'serve.other-files' })
    await isServed('--store', store, '--accept-moved-files')
    const copy = postgres.address('copied')
    t.equal((await run('store', 'copy', '--from', store, '--to', copy)).code, 0)
    await isServed('--store', copy)
    t.match(await refusal(...words('files', '--store', store)), { code: 'serve.other-files' })
    t.match(await refusal(...words('files')), { code: 'serve.other-files' })
    await isServed('--accept-moved-files')
  })

  await t.test('a first start that is killed while it records the folder is repeated', async () => {
    for (const name of ['killed0', 'killed1', 'killed2', 'killed3']) {
      const flags = words(name, '--store', postgres.address(name))
      const { child, ended } = start(['serve', '--json', ...flags], { folder })
      while (!existsSync(join(folder, name, 'files-id')) && child.exitCode === null) await setImmediate()
      child.kill('SIGKILL')
      await ended
      await stop(await serve(...flags))
    }
  })

  await t.test('files that a database does not know are neither served nor removed', async (t) => {
    const upload = async () => t.equal((await run('documents', 'upload', 'a.pdf', '--data', 'known')).code, 0)
    const files = () => readdirSync(join(folder, 'known/blobs'), { recursive: true }).filter(isPdf)
    const server = await serve(...words('known'))
    await upload()
    const fresh = ['--store', postgres.address('fresh')]
    t.match(await refusal(...words('known', ...fresh)), { code: 'serve.other-files', detail: /no record of the data/ })
    await stop(server)
    t.match(await refusal(...words('known', ...fresh)), { code: 'serve.other-files', detail: /no record of the data/ })
    t.equal(files().length, 1)
    await stop(await serve(...words('known')))
    t.equal((await run('store', 'copy', '--from', 'known', '--to', postgres.address('known'))).code, 0)
    const other = await serve(...words('known', '--store', postgres.address('known')))
    t.match(await refusal(...words('known')), { code: 'serve.other-files' })
    await upload()
    t.equal(files().length, 2, 'the refused start has left the running server alone')
    await stop(other)
  })

  await t.test('of two copies of one database, one has the files', async (t) => {
    const [source, one, two] = ['source', 'one', 'two'].map((name) => postgres.address(name))
    const first = await serve(...words('split', '--store', source ?? ''))
    t.equal((await run('documents', 'upload', 'a.pdf', '--data', 'split')).code, 0)
    await stop(first)
    for (const copy of [one, two])
      t.equal((await run('store', 'copy', '--from', source ?? '', '--to', copy ?? '')).code, 0)
    const starts = [one, two].map((copy) =>
      start(['serve', '--json', ...words('split', '--store', copy ?? '')], { folder }),
    )
    for (const { child } of starts) t.teardown(() => child.kill('SIGKILL'))
    const outcomes = await Promise.all(
      starts.map((running) =>
        Promise.race([printed(running, 'stdout', '"url"').then(() => running), running.ended.then(() => undefined)]),
      ),
    )
    const serving = outcomes.filter((running) => running !== undefined)
    t.equal(serving.length, 1)
    for (const running of serving) await stop(running)
  })
})

const isPdf = (name: string | Buffer): boolean => String(name).endsWith('.pdf')
