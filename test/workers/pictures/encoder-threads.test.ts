// Threads that encode pictures have a low priority, so that they do not hold up threads that others wait for.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import sharp from 'sharp'
import t from 'tap'
import { inEncoderThreads } from '../../../workers/pictures/encoder-threads.js'

const folder = '/proc/self/task'
const skip = existsSync(folder) ? false : 'only Linux lists the threads of a process'

const encoders = () =>
  readdirSync(folder).filter((thread) => readFileSync(`${folder}/${thread}/comm`, 'utf8').startsWith('libvips'))

t.test('encoding threads have a lower priority than all but background threads', { skip }, async (t) => {
  const [width, height] = [4000, 4000]
  const pixels = Buffer.from(Uint32Array.from({ length: width * height }, (_, place) => place * 2_654_435_761).buffer)
  const picture = sharp(pixels, { raw: { width, height, channels: 4 } }).png({ compressionLevel: 1 })
  const bytes = await inEncoderThreads(() => picture.toBuffer())
  t.ok(bytes.length > 0)
  const priorities = encoders().map((thread) => getPriority(Number(thread)))
  t.ok(priorities.length > 0, 'libvips has threads of its own')
  t.ok(
    priorities.every((priority) => priority > 0 && priority < 10),
    `priorities ${priorities}`,
  )
  t.equal(getPriority(), 0, 'the process has its own')
})
