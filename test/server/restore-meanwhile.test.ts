// A restore and a server, or another restore, that begin on one target at once: one of them is refused, and nothing that was
// acknowledged is lost.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { restoreBackup } from '../../server/backup/restore.js'
import { digestHere } from '../../server/backup/verify.js'
import { agents, printed, records, start } from '../cli/program.js'
import { scratchFolder } from '../cli/scratch.js'
import { needsPostgres, PostgresServer } from '../support/engines/postgres.js'
import { onePage } from '../support/pdf/raw-pdf.js'

t.test('restores while servers start', { ...needsPostgres, timeout: 580_000 }, async (t) => {
  const postgres = await PostgresServer.start(t)
  const folder = scratchFolder(t)
  const run = (...words: readonly string[]) => agents([...words, '--json'], { folder })
  const startServer = (...flags: readonly string[]) => {
    const running = start(['serve', '--json', '--port', '0', '--threads', '1', ...flags], { folder })
    t.teardown(() => running.child.kill('SIGKILL'))
    const isUp = printed(running, 'stdout', '"url"').then(
      () => true,
      () => false,
    )
    const stop = async () => {
      running.child.kill('SIGTERM')
      await running.ended
    }
    return { running, isUp, stop }
  }
  const serving = async (flags: readonly string[], work: () => Promise<void>) => {
    const { running, isUp, stop } = startServer(...flags)
    t.ok(await isUp, running.seen.stdout + running.seen.stderr)
    await work()
    await stop()
  }
  const upload = (id: string, data: string) => run('documents', 'upload', 'a.pdf', '--id', id, '--data', data)
  let downloads = 0
  const downloaded = async (id: string, data: string) => {
    const file = `${downloads++}.pdf`
    const { code } = await run('documents', 'download', id, '--out', file, '--data', data)
    return code === 0 && readFileSync(join(folder, file)).equals(readFileSync(join(folder, 'a.pdf')))
  }
  const isServed = (id: string, data: string, ...engines: readonly string[]) =>
    serving(['--data', data, ...engines], async () => {
      t.ok(await downloaded(id, data), id)
    })
  writeFileSync(join(folder, 'a.pdf'), onePage('0 0 10 10 re f'))
  await serving(['--data', 'origin'], async () => {
    t.equal((await upload('a', 'origin')).code, 0)
    t.equal((await run('documents', 'backup', 'bk', '--data', 'origin')).code, 0)
  })
  const engines = (name: string, place: 'folder' | 'database') =>
    place === 'folder' ? [] : ['--store', postgres.address(name)]
  /** Restores, and holds the restore while the backup is verified. */
  const held = async (name: string, place: 'folder' | 'database', digest = digestHere) => {
    let [release, reached] = [() => {}, () => {}]
    const isReached = new Promise<void>((resolve) => {
      reached = resolve
    })
    const isReleased = new Promise<void>((resolve) => {
      release = resolve
    })
    const [, store] = engines(name, place)
    const restored = restoreBackup({
      from: join(folder, 'bk'),
      folder: join(folder, name),
      engines: { store },
      async digest(path) {
        reached()
        await isReleased
        return digest(path)
      },
    })
    await Promise.race([isReached, restored])
    return { release, restored }
  }

  for (const place of ['folder', 'database'] as const) {
    await t.test(`a ${place} is reserved while the backup is verified`, async (t) => {
      const name = `held_${place}`
      const target = ['--data', name, ...engines(name, place)]
      const { release, restored } = await held(name, place)
      const served = await run('serve', '--port', '0', '--threads', '1', ...target)
      t.match(records(served.stdout), [{ code: /serve\.(store-unfinished|data-unfit)/ }], served.stderr)
      const other = await run('documents', 'restore', 'bk', ...target)
      t.match(records(other.stdout), [{ code: /data-in-use|restore-refused/ }], other.stderr)
      release()
      await restored
      await isServed('a', name, ...engines(name, place))
    })

    await t.test(`a ${place} is as it was after an unfit backup`, async () => {
      const name = `unfit_${place}`
      const { release, restored } = await held(name, place, async () => 'other')
      release()
      await t.rejects(restored, { name: 'BackupUnfit' })
      t.same(readdirSync(join(folder, name)), [])
      await serving(['--data', name, ...engines(name, place)], async () => {})
    })

    await t.test(`of a server and a restore that start at once on a ${place}, one is refused`, async (t) => {
      for (const delayMs of [-400, -200, 0, 300]) {
        const name = `race_${place}_${delayMs + 400}`
        const target = ['--data', name, ...engines(name, place)]
        const restoring = setTimeout(Math.max(0, -delayMs)).then(() => run('documents', 'restore', 'bk', ...target))
        await setTimeout(Math.max(0, delayMs))
        const { isUp, stop } = startServer(...target)
        const isAcknowledged = (await isUp) && (await upload('b', name)).code === 0
        const { code } = await restoring
        t.notOk(code === 0 && isAcknowledged && !(await downloaded('b', name)), `${delayMs} ms: nothing is lost`)
        if (isAcknowledged) t.ok(await downloaded('b', name), `${delayMs} ms: the upload is there`)
        await stop()
        if (isAcknowledged) await isServed('b', name, ...engines(name, place))
        else if (code === 0) await isServed('a', name, ...engines(name, place))
      }
    })
  }

  await t.test('a restore that is killed at once is repeated', async (t) => {
    const killed = start(['documents', 'restore', 'bk', '--data', 'killed'], { folder })
    while (!existsSync(join(folder, 'killed/restoring')) && killed.child.exitCode === null) await setTimeout(1)
    killed.child.kill('SIGKILL')
    await killed.ended
    const served = await run('serve', '--port', '0', '--data', 'killed')
    t.match(records(served.stdout), [{ code: 'serve.data-unfit', detail: /documents restore" again/ }])
    t.equal((await run('documents', 'restore', 'bk', '--data', 'killed')).code, 0)
    await isServed('a', 'killed')
  })

  await t.test('the mark of a restore that has changed nothing covers no records', async (t) => {
    const store = engines('planned', 'database')
    await serving(['--data', 'planned', ...store], async () => {
      t.equal((await upload('b', 'planned')).code, 0)
    })
    await postgres.sql(`insert into planned.facts values ('unfinished copy', 'planned restore')`)
    writeFileSync(join(folder, 'planned/restoring'), 'planned restore')
    const served = await run('serve', '--port', '0', '--data', 'planned', ...store)
    t.match(records(served.stdout), [{ code: 'serve.data-unfit' }])
    const copied = await run('store', 'copy', '--from', 'origin', '--to', postgres.address('planned'))
    t.match(records(copied.stdout), [{ code: 'documents.copy-refused', detail: /part of a restore/ }])
    const restored = await run('documents', 'restore', 'bk', '--data', 'planned', ...store)
    t.not(restored.code, 0)
    await isServed('b', 'planned', ...store)
  })
})
