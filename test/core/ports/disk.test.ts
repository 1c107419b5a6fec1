// Contract of the disk port, for the real disk and for the disk of crash tests.
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { Disk } from '../../../core/ports/disk.js'
import { nodeDisk } from '../../../core/ports/node-disk.js'
import { FaultDisk } from '../../faults/disk.js'

const encode = (text: string) => new TextEncoder().encode(text)
const mode = 0o600

const disks: Readonly<Record<string, (t: Test) => { disk: Disk; folder: string }>> = {
  'the real disk': (t) => ({ disk: nodeDisk, folder: t.testdir({}) }),
  'the disk that can fail': () => ({ disk: new FaultDisk({ '/p/agents.yaml': '' }), folder: '/p/sub' }),
}

for (const [title, open] of Object.entries(disks)) {
  t.test(title, async (t) => {
    const { disk, folder } = open(t)
    const at = (name: string) => join(folder, name)
    const text = async (name: string) => new TextDecoder().decode(await disk.read(at(name)))

    await t.test('creates folders with their parents, and accepts existing ones', async (t) => {
      await disk.createFolder(at('a/b'))
      await disk.createFolder(at('a/b'))
      t.equal((await disk.status(at('a')))?.kind, 'folder')
      t.strictSame(await disk.list(at('a')), ['b'])
      await disk.flushFolder(at('a'))
    })

    await t.test('returns null for a missing file, and rejects a read of it', async (t) => {
      t.equal(await disk.status(at('missing')), null)
      await t.rejects(disk.read(at('missing')), { code: 'ENOENT' })
      await t.rejects(disk.list(at('missing')), { code: 'ENOENT' })
      await t.rejects(disk.realPath(at('missing')), { code: 'ENOENT' })
      await t.rejects(disk.rename(at('missing'), at('x')), { code: 'ENOENT' })
      await t.rejects(disk.write(at('missing/x'), encode(''), { mode }), { code: 'ENOENT' })
      await t.rejects(disk.create(at('missing/x'), encode(''), { mode }), { code: 'ENOENT' })
    })

    await t.test('a write replaces the content of the file', async (t) => {
      await disk.write(at('w'), encode('something long'), { mode })
      await disk.write(at('w'), encode('short'), { mode })
      t.equal(await text('w'), 'short')
      t.match(await disk.status(at('w')), { kind: 'file', sizeBytes: 5 })
    })

    await t.test('a create returns false for an existing file, and does not change it', async (t) => {
      t.equal(await disk.create(at('c'), encode('first'), { mode }), true)
      t.equal(await disk.create(at('c'), encode('second'), { mode }), false)
      t.equal(await text('c'), 'first')
    })

    await t.test('an appender adds to the end, of a new file as well', async (t) => {
      for (const part of ['one', 'two']) {
        const appender = await disk.append(at('log'), { mode })
        await appender.write(encode(part))
        await appender.flush()
        await appender.close()
      }
      t.equal(await text('log'), 'onetwo')
    })

    await t.test('a rename replaces an existing file, and preserves the id', async (t) => {
      await disk.write(at('from'), encode('new'), { mode })
      await disk.write(at('to'), encode('old'), { mode })
      const before = await disk.status(at('from'))
      await disk.rename(at('from'), at('to'))
      t.equal(await text('to'), 'new')
      t.equal((await disk.status(at('to')))?.id, before?.id)
      t.equal(await disk.status(at('from')), null)
    })

    await t.test('a removal of what is not there is no error', async (t) => {
      await disk.write(at('gone'), encode(''), { mode })
      await disk.remove(at('gone'))
      await disk.remove(at('gone'))
      t.equal(await disk.status(at('gone')), null)
    })

    await t.test('lists names by code unit', async (t) => {
      await disk.createFolder(at('names'))
      for (const name of ['b', 'B', 'a1', 'a']) await disk.write(at(`names/${name}`), encode(''), { mode })
      t.strictSame(await disk.list(at('names')), ['B', 'a', 'a1', 'b'])
    })
  })
}

t.test('after a crash, unflushed data may be lost, and flushed data is not', async (t) => {
  const disk = new FaultDisk({ '/p/kept': 'old' })
  await disk.write('/p/new', encode('unnamed'), { mode })
  const appender = await disk.append('/p/kept', { mode })
  await appender.write(encode('+flushed'))
  await appender.flush()
  await appender.write(encode('+lost'))
  const after = disk.afterCrash('nothing')
  t.equal(after.text('/p/kept'), 'old+flushed')
  t.equal(after.text('/p/new'), undefined, 'its name was never flushed')
  t.equal(disk.afterCrash('half').text('/p/kept'), 'old+flushed+lo')
  t.equal(disk.afterCrash('holes').text('/p/kept'), 'old+flushed\0\0\0st')
  t.equal(disk.afterCrash('everything').text('/p/new'), 'unnamed')
  await disk.flushFolder('/p')
  t.equal(disk.afterCrash('nothing').text('/p/new'), 'unnamed')
})

t.test('the real disk finds where symbolic links lead, and returns what is no link as it is', async (t) => {
  const folder = t.testdir({
    file: 'f',
    folder: { kept: 'k' },
    one: t.fixture('symlink', 'folder/kept'),
    two: t.fixture('symlink', 'one'),
    loop: t.fixture('symlink', 'loop'),
    missing: t.fixture('symlink', 'nowhere/x'),
    below: t.fixture('symlink', 'file/x'),
  })
  const leadsTo = (path: string) => nodeDisk.linkTarget(join(folder, path))
  for (const path of ['file', 'folder', 'none', 'none/x', 'file/x']) t.equal(await leadsTo(path), join(folder, path))
  for (const path of ['one', 'two']) t.equal(await leadsTo(path), join(realpathSync(folder), 'folder/kept'))
  for (const [path, target] of [
    ['missing', 'nowhere/x'],
    ['below', 'file/x'],
  ] as const)
    t.equal(await leadsTo(path), join(folder, target), 'its folder does not exist')
  await t.rejects(leadsTo('loop'), { code: 'ELOOP' })
})

t.test('the real disk writes through no symbolic link', async (t) => {
  const folder = t.testdir({
    target: 'before',
    link: t.fixture('symlink', 'target'),
    dangling: t.fixture('symlink', 'none'),
  })
  for (const name of ['link', 'dangling']) {
    await t.rejects(nodeDisk.write(join(folder, name), encode('x'), { mode }), { code: 'ELOOP' })
    await t.rejects(nodeDisk.append(join(folder, name), { mode }), { code: 'ELOOP' })
  }
  t.strictSame(await nodeDisk.read(join(folder, 'target')), Buffer.from('before'))
  t.strictSame(await nodeDisk.list(folder), ['dangling', 'link', 'target'])
})
