// Archives of skills from a hostile or broken server are refused with a reason, and not written.

import { type Zippable, zipSync } from 'fflate'
import t from 'tap'
import { ContentRefused } from '../../../core/plugin/content.js'
import { unzipSkill } from '../../../plugins/shared/skill-archive.js'

/** Maximum size of all files together in bytes, which docs/taking-over.md names. */
const bytesMax = 64 * 1024 * 1024
const manifest = Buffer.from('---\nname: review\n---\nRead.\n')
const skill = (more: Zippable = {}, options = {}) => zipSync({ 'SKILL.md': manifest, ...more }, options)

function refusalOf(archive: Uint8Array): string {
  try {
    unzipSkill(archive)
    return 'taken'
  } catch (error) {
    if (error instanceof ContentRefused) return error.reason
    throw error
  }
}

/** The archive with a number of its first entry, in the central directory, replaced. */
function patched(archive: Uint8Array, offset: number, value: number): Uint8Array {
  const bytes = Buffer.from(archive)
  bytes.writeUInt32LE(value, bytes.indexOf(Buffer.from([0x50, 0x4b, 1, 2])) + offset)
  return bytes
}

t.test(
  'files are unpacked unchanged, deflated or stored, without the top folder and without folder entries',
  async (t) => {
    const binary = Uint8Array.from({ length: 4096 }, (_, index) => (index * 7) % 256)
    for (const level of [0, 9] as const) {
      const wrapped = zipSync(
        { 'review/': new Uint8Array(), 'review/SKILL.md': manifest, 'review/a/b.bin': binary },
        { level },
      )
      const { files, name } = unzipSkill(wrapped)
      t.equal(name, 'review')
      t.same(
        files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString('hex')]),
        [
          ['SKILL.md', manifest.toString('hex')],
          ['a/b.bin', Buffer.from(binary).toString('hex')],
        ],
      )
    }
  },
)

t.test('symbolic links and devices are refused', async (t) => {
  for (const type of [0o120777, 0o060644, 0o010644]) {
    const archive = zipSync({ 'SKILL.md': [manifest, { os: 3, attrs: (type << 16) >>> 0 }] })
    t.match(refusalOf(archive), /"SKILL.md" in its archive is a link or a device/)
  }
})

t.test('an archive that announces too many bytes is refused before it is unpacked', async (t) => {
  const announced = (bytes: number) => refusalOf(patched(skill(), 24, bytes))
  t.match(announced(bytesMax + 1), `unpacks to more than ${bytesMax} bytes`)
  t.notMatch(announced(bytesMax), 'unpacks to more')
})

t.test('an archive that unpacks to more than it announces is refused at that size', async (t) => {
  const bomb = zipSync({ 'SKILL.md': Buffer.alloc(8 * 1024 * 1024) })
  t.match(refusalOf(patched(bomb, 24, 100)), /no whole zip archive/)
})

t.test(
  'archives that are encrypted, compressed with an unknown method or truncated, and other files, are refused',
  async (t) => {
    t.match(refusalOf(patched(skill(), 8, 1)), /is encrypted/)
    t.match(refusalOf(patched(skill(), 10, 14)), /packed in an unknown way/)
    t.match(refusalOf(skill().subarray(0, -30)), /no whole zip archive/)
    t.match(refusalOf(Buffer.from('<html>Sorry</html>')), /no whole zip archive/)
    t.match(refusalOf(new Uint8Array()), /no whole zip archive/)
    t.match(refusalOf(zipSync({ 'README.md': manifest })), /holds no SKILL.md/)
    t.match(refusalOf(patched(skill(), 42, 5_000_000)), /no whole zip archive/)
  },
)
