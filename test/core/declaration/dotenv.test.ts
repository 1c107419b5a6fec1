// Selection of `.env` outside a repository: only files below the home folder.
import t from 'tap'
import { MemoryDisk } from '../../../core/conformance/memory-disk.js'
import { readDotenv } from '../../../core/declaration/dotenv.js'

function diskWith(...folders: readonly string[]): MemoryDisk {
  const disk = new MemoryDisk()
  for (const folder of folders) disk.put(`${folder}/.env`, `FROM=${folder}`)
  return disk
}

const found = async (disk: MemoryDisk, folder: string, home?: string) =>
  (await readDotenv(disk, folder, home)).values.get('FROM')

t.test('without a repository, the nearest .env below the home folder is read', async (t) => {
  const disk = diskWith('/home/ada', '/home/ada/work', '/srv')
  t.equal(await found(disk, '/home/ada/work/shop/team', '/home/ada'), '/home/ada/work')
  t.equal(await found(disk, '/home/ada/other', '/home/ada'), undefined, 'not that of the home folder itself')
  t.equal(await found(disk, '/srv/shop', '/home/ada'), undefined, 'nor one above a folder outside the home folder')
  t.equal(await found(disk, '/srv', '/home/ada'), '/srv', 'the .env beside the file is always read')
  t.equal(await found(disk, '/home/ada/work/shop', undefined), undefined)
  t.equal(await found(diskWith('/home/adam'), '/home/adam/shop', '/home/ada'), undefined)
})

t.test('a repository ends the search, wherever it is', async (t) => {
  const disk = diskWith('/home/ada/work', '/srv')
  disk.put('/home/ada/work/shop/.git', 'gitdir: elsewhere')
  t.equal(await found(disk, '/home/ada/work/shop/team', '/home/ada'), undefined)
  disk.put('/srv/.git', 'gitdir: elsewhere')
  t.equal(await found(disk, '/srv/shop', '/home/ada'), '/srv')
})
